package org.madcast.agent.probe;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One end of a probe: sends trains of datagrams, and counts those of other points that arrive at
 * its groups or at itself. Any thread may call it; two threads of its own listen.
 */
final class ProbePoint implements AutoCloseable {

    /** The roles of the points. */
    record Place(long probe, int number, NetworkInterface device, InetAddress local) {}

    private static final long NAP_NS = 200_000;

    private final Place place;
    private final DatagramChannel groups;
    private final DatagramChannel own;
    private final Optional<IgmpQueryListener> ear;
    private final Map<ProbeDatagram, Tally> tallies = new HashMap<>();

    private static final class Tally {
        private long received;
        private long bytes;
        private long firstNs;
        private long lastNs;
    }

    private ProbePoint(
            Place place,
            DatagramChannel groups,
            DatagramChannel own,
            Optional<IgmpQueryListener> ear) {
        this.place = place;
        this.groups = groups;
        this.own = own;
        this.ear = ear;
    }

    /**
     * Opens it.
     *
     * @param wanted the groups, all of one port
     * @param bufferBytes the receive buffer that its sockets ask for
     */
    static ProbePoint open(Place place, List<InetSocketAddress> wanted, int bufferBytes)
            throws IOException {
        DatagramChannel groups = DatagramChannel.open(StandardProtocolFamily.INET);
        DatagramChannel own = DatagramChannel.open(StandardProtocolFamily.INET);
        boolean opened = false;
        try {
            groups.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            groups.setOption(StandardSocketOptions.SO_RCVBUF, bufferBytes);
            groups.bind(new InetSocketAddress(wanted.getFirst().getPort()));
            for (InetSocketAddress group : wanted) {
                groups.join(group.getAddress(), place.device());
            }
            own.setOption(StandardSocketOptions.SO_RCVBUF, bufferBytes);
            own.setOption(StandardSocketOptions.IP_MULTICAST_IF, place.device());
            own.setOption(StandardSocketOptions.IP_MULTICAST_LOOP, true);
            own.bind(new InetSocketAddress(place.local(), 0));
            ProbePoint point = new ProbePoint(place, groups, own, IgmpQueryListener.open());
            point.start();
            opened = true;
            return point;
        } finally {
            if (!opened) {
                groups.close();
                own.close();
            }
        }
    }

    private void start() {
        for (DatagramChannel channel : List.of(groups, own)) {
            Thread _ =
                    Thread.ofPlatform()
                            .daemon()
                            .name("probe-" + place.number())
                            .start(() -> listen(channel));
        }
    }

    private void listen(DatagramChannel channel) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
        try {
            while (true) {
                var _ = channel.receive(buffer.clear());
                buffer.flip();
                if (ProbeDatagram.isOf(place.probe(), buffer)) {
                    count(ProbeDatagram.decode(buffer), buffer.remaining(), System.nanoTime());
                }
            }
        } catch (ClosedChannelException _) {
            // The probe is over.
        } catch (IOException broken) {
            System.getLogger(ProbePoint.class.getName())
                    .log(System.Logger.Level.WARNING, "nothing is received any more", broken);
        }
    }

    private synchronized void count(ProbeDatagram datagram, int bytes, long nowNs) {
        Tally tally = tallies.computeIfAbsent(datagram, _ -> new Tally());
        if (tally.received == 0) {
            tally.firstNs = nowNs;
        }
        tally.received++;
        tally.bytes += bytes;
        tally.lastNs = nowNs;
    }

    /**
     * Sends a train.
     *
     * @return how many datagrams the system took
     */
    int send(ProbeTrain train) throws IOException {
        own.setOption(StandardSocketOptions.IP_MULTICAST_TTL, train.ttl());
        ByteBuffer datagram =
                new ProbeDatagram(place.number(), train.number())
                        .encode(place.probe(), train.datagramBytes());
        long startNs = System.nanoTime();
        long gapNs = train.count() == 0 ? 0 : train.lasting().toNanos() / train.count();
        int sent = 0;
        for (int i = 0; i < train.count(); i++) {
            while (System.nanoTime() - startNs < i * gapNs) {
                LockSupport.parkNanos(NAP_NS);
            }
            try {
                sent += own.send(datagram.rewind(), train.target()) > 0 ? 1 : 0;
            } catch (IOException tooLargeOrNoWay) {
                if (i == 0) {
                    throw tooLargeOrNoWay;
                }
            }
        }
        return sent;
    }

    /** What arrived of a point's trains. */
    synchronized List<TrainCount> counts(int sender) {
        long nowNs = System.nanoTime();
        List<TrainCount> counts = new ArrayList<>();
        tallies.forEach((datagram, tally) -> {
            if (datagram.sender() == sender) {
                counts.add(
                        new TrainCount(
                                datagram.train(),
                                tally.received,
                                tally.bytes,
                                tally.lastNs - tally.firstNs,
                                nowNs - tally.lastNs));
            }
        });
        return counts;
    }

    /** The port at which it receives unicast. */
    int port() {
        return own.socket().getLocalPort();
    }

    /** What its sockets were granted. */
    long receiveBufferBytes() throws IOException {
        return groups.getOption(StandardSocketOptions.SO_RCVBUF);
    }

    boolean hearsQueriers() {
        return ear.isPresent();
    }

    /** The queries heard so far, by querier. */
    Map<String, Integer> queries() {
        return ear.map(IgmpQueryListener::heard).orElse(Map.of());
    }

    /** How many datagrams were lost since the receive buffer was full. */
    long overflowed() throws IOException {
        Path table = Path.of("/proc/self/net/udp");
        if (!Files.isReadable(table)) {
            return 0;
        }
        long drops = 0;
        for (String line : Files.readAllLines(table)) {
            String[] fields = line.strip().split("\\s+");
            if (isOurs(fields)) {
                drops += Long.parseLong(fields[fields.length - 1]);
            }
        }
        return drops;
    }

    /** Its second field is the local address and port, both in hexadecimal digits. */
    private boolean isOurs(String[] fields) {
        return fields.length > 2
                && (isPort(fields[1], groups.socket().getLocalPort()) || isPort(fields[1], port()));
    }

    private static boolean isPort(@Nullable String address, int port) {
        return address != null && address.endsWith(String.format(Locale.ROOT, ":%04X", port));
    }

    @Override
    public void close() throws IOException {
        try (groups;
                own) {
            if (ear.isPresent()) {
                ear.get().close();
            }
        }
    }
}

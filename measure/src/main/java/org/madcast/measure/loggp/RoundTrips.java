package org.madcast.measure.loggp;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.madcast.agent.daemon.Echo;

/**
 * Measures the parametrised round trip PRTT(n, d, s) of seed 004, section II.2.4.2: n messages of s
 * bytes with a delay of d between them, answered by one message of s bytes when the last of them
 * has arrived; and its 1:n n:1, in which several nodes answer, addressed one after the other or by
 * one multicast. Messages are UDP datagrams to an {@link Echo}; a loss spoils a sample, which is
 * taken again. For one thread.
 */
final class RoundTrips implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMillis(500);
    private static final int MOST_LOSSES = 20;
    private static final int BUFFER_BYTES = 4 << 20;

    /**
     * One sample.
     *
     * @param ns until the last answer
     * @param sentNs until the last message was handed to the system
     */
    record Trip(double ns, double sentNs) {}

    /** Too many messages are lost. */
    static final class LostException extends IOException {
        private static final long serialVersionUID = 1L;

        LostException(String message) {
            super(message);
        }
    }

    private final DatagramSocket socket;
    private final List<InetSocketAddress> targets;
    private final int answers;
    private final byte[] answer = new byte[1 << 16];
    private int sample;
    private int losses;

    private RoundTrips(List<InetSocketAddress> targets, int answers) throws IOException {
        this.targets = targets;
        this.answers = answers;
        this.socket = new DatagramSocket();
        socket.setSendBufferSize(BUFFER_BYTES);
        socket.setReceiveBufferSize(BUFFER_BYTES);
        socket.setSoTimeout((int) PATIENCE.toMillis());
    }

    /** Each message goes to each of these, and each answers. */
    static RoundTrips to(List<InetSocketAddress> echoes) throws IOException {
        RoundTrips trips = new RoundTrips(echoes, echoes.size());
        if (echoes.size() == 1) {
            trips.socket.connect(echoes.getFirst());
        }
        return trips;
    }

    /** Each message goes to the group, of which so many answer. */
    static RoundTrips toGroup(InetSocketAddress group, NetworkInterface device, int answers)
            throws IOException {
        RoundTrips trips = new RoundTrips(List.of(group), answers);
        trips.socket.setOption(StandardSocketOptions.IP_MULTICAST_IF, device);
        return trips;
    }

    /**
     * The median of some samples, in nanoseconds.
     *
     * @throws LostException when too many messages are lost
     */
    double median(int samples, int count, long delayNs, int bytes) throws IOException {
        return medianTrip(samples, count, delayNs, bytes).ns();
    }

    /** The medians of some samples. */
    Trip medianTrip(int samples, int count, long delayNs, int bytes) throws IOException {
        double[] ns = new double[samples];
        double[] sentNs = new double[samples];
        for (int i = 0; i < samples; ) {
            Trip trip = once(count, delayNs, bytes);
            if (trip.ns() >= 0) {
                ns[i] = trip.ns();
                sentNs[i++] = trip.sentNs();
            } else if (++losses > MOST_LOSSES) {
                throw new LostException(
                        "too many datagrams are lost on the way to "
                                + targets.getFirst().getAddress().getHostAddress()
                                + "; see 'madcast probe'");
            }
        }
        return new Trip(Median.of(ns), Median.of(sentNs));
    }

    /** One round trip; negative when a message was lost. */
    private Trip once(int count, long delayNs, int bytes) throws IOException {
        sample++;
        byte[] message = new byte[Math.max(bytes, Echo.HEADER_BYTES)];
        DatagramPacket packet = new DatagramPacket(message, message.length);
        long startNs = System.nanoTime();
        for (int i = 0; i < count; i++) {
            if (i > 0 && delayNs > 0) {
                spin(delayNs);
            }
            ByteBuffer.wrap(message).putInt(sample).putInt(i).putInt(count);
            for (InetSocketAddress target : targets) {
                packet.setSocketAddress(target);
                socket.send(packet);
            }
        }
        long sentNs = System.nanoTime();
        boolean complete = answered();
        return new Trip(complete ? System.nanoTime() - startNs : -1, sentNs - startNs);
    }

    private static void spin(long delayNs) {
        long endNs = System.nanoTime() + delayNs;
        while (System.nanoTime() - endNs < 0) {
            Thread.onSpinWait();
        }
    }

    private boolean answered() throws IOException {
        DatagramPacket packet = new DatagramPacket(answer, answer.length);
        try {
            for (int heard = 0; heard < answers; ) {
                packet.setLength(answer.length);
                socket.receive(packet);
                heard += ByteBuffer.wrap(answer).getInt() == sample ? 1 : 0;
            }
            return true;
        } catch (SocketTimeoutException _) {
            return false;
        }
    }

    @Override
    public void close() {
        socket.close();
    }
}

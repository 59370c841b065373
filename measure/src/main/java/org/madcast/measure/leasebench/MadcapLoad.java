package org.madcast.measure.leasebench;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.madcap.AddressFamily;
import org.madcast.madcap.AddressRange;
import org.madcast.madcap.LeaseId;
import org.madcast.madcap.Message;
import org.madcast.madcap.MessageType;
import org.madcast.madcap.NetAddress;
import org.madcast.madcap.Option;
import org.madcast.madcap.ScopeZone;
import org.madcast.measure.leasebench.ClientThreads.Pace;

/**
 * Clients that each lease by MADCAP (RFC 2730), from DISCOVER to ACK, again and again for a time,
 * and release everything afterwards, which is not measured. No address may be in two answers.
 *
 * <p>The server counts by IP address how much a client asks and has. Towards a server on this
 * host's loopback each client has one of its own, 127.77.x.y.
 */
final class MadcapLoad {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int ADDRESSES_A_BLOCK = 250;
    private static final long LEASE_SECONDS = 3600;

    /** What is leased in it fits the service's usual quotas. */
    private static final Duration WARM_UP_ROUND = Duration.ofSeconds(5);

    private final InetSocketAddress server;
    private final NetAddress scope;
    private final int clients;
    private final Set<NetAddress> leased = ConcurrentHashMap.newKeySet();

    /**
     * A load that has not begun.
     *
     * @param scope the lowest address of the scope to lease from
     */
    MadcapLoad(InetSocketAddress server, NetAddress scope, int clients) {
        this.server = server;
        this.scope = scope;
        this.clients = clients;
    }

    /** The server that {@code HOST[:PORT]} names. */
    static InetSocketAddress server(String text) {
        URI parsed = URI.create("madcap://" + text);
        if (parsed.getHost() == null) {
            throw new IllegalArgumentException("'" + text + "' is not HOST or HOST:PORT");
        }
        int port = parsed.getPort() < 0 ? Message.SERVER_PORT : parsed.getPort();
        return new InetSocketAddress(parsed.getHost(), port);
    }

    /** Runs it for about that long, giving back in between what was leased. */
    void warmUp(Duration time) throws InterruptedException {
        for (Duration left = time; left.isPositive(); left = left.minus(WARM_UP_ROUND)) {
            run(left.compareTo(WARM_UP_ROUND) < 0 ? left : WARM_UP_ROUND, 0);
        }
    }

    /**
     * Runs it.
     *
     * @param perSecond how many leases to begin a second in all, 0 for as many as go
     */
    Outcome run(Duration time, double perSecond) throws InterruptedException {
        List<Client> all = new ArrayList<>();
        try {
            InetAddress group = serversOfScope();
            for (int i = 0; i < clients; i++) {
                all.add(new Client(new LeanMadcap(server, own(i)), group));
            }
            Outcome outcome = ClientThreads.run(all, time, perSecond, 1);
            ClientThreads.run(all.stream().map(it -> it.release).toList(), time, 0, 1);
            return outcome;
        } catch (IOException impossible) {
            throw new CommandFailure(
                    ExitCode.SERVICE, "cannot ask " + server + ": " + impossible, impossible);
        } finally {
            all.forEach(it -> it.socket.close());
            leased.clear();
        }
    }

    /**
     * Where to send what any server of the scope may answer: the server says what its scopes are.
     */
    private InetAddress serversOfScope() throws IOException {
        Message question =
                Message.of(
                        MessageType.GETINFO,
                        scope.family(),
                        RANDOM.nextInt(),
                        newId(),
                        new Option.OptionRequestList(
                                List.of(Option.Kind.MULTICAST_SCOPE_LIST.code())));
        Option.MulticastScopeList list;
        try (LeanMadcap socket = new LeanMadcap(server, null)) {
            list = socket.ask(question).find(Option.MulticastScopeList.class);
        }
        return (list == null ? List.<ScopeZone>of() : list.zones())
                .stream()
                        .filter(zone -> zone.first().equals(scope))
                        .findFirst()
                        .map(zone -> InetAddress.ofLiteral(zone.serverAddress().toString()))
                        .orElseThrow(() ->
                                new CommandFailure(
                                        ExitCode.SERVICE,
                                        "the server has no scope that begins at " + scope));
    }

    private static LeaseId newId() {
        byte[] bytes = new byte[LeaseId.RANDOM_BYTES];
        RANDOM.nextBytes(bytes);
        return LeaseId.random(bytes);
    }

    private @Nullable InetAddress own(int index) {
        if (!(server.getAddress() instanceof Inet4Address address)
                || !address.isLoopbackAddress()) {
            return null;
        }
        return InetAddress.ofLiteral(
                "127.77.%d.%d".formatted(index / ADDRESSES_A_BLOCK, 1 + index % ADDRESSES_A_BLOCK));
    }

    /** One that leases, and later gives back. */
    private final class Client implements ClientThreads.Client {

        private final LeanMadcap socket;
        private final InetAddress group;
        private final List<LeaseId> held = new ArrayList<>();
        private final ClientThreads.Client release = pace -> releaseAll();

        Client(LeanMadcap socket, InetAddress group) {
            this.socket = socket;
            this.group = group;
        }

        @Override
        public long[] work(Pace pace) throws IOException {
            LongStream.Builder latencies = LongStream.builder();
            while (!pace.isOver()) {
                long sentNs = pace.next();
                LeaseId id = newId();
                Message discover =
                        Message.of(
                                MessageType.DISCOVER,
                                scope.family(),
                                RANDOM.nextInt(),
                                id,
                                new Option.MulticastScope(scope),
                                new Option.LeaseTime(LEASE_SECONDS));
                NetAddress offerer = offerer(ask(discover, group, MessageType.OFFER));
                Message request =
                        discover.as(MessageType.REQUEST)
                                .withXid(RANDOM.nextInt())
                                .with(new Option.ServerIdentifier(offerer));
                note(ask(request, group, MessageType.ACK));
                latencies.accept(System.nanoTime() - sentNs);
                held.add(id);
            }
            return latencies.build().toArray();
        }

        private long[] releaseAll() throws IOException {
            for (LeaseId id : held) {
                AddressFamily family = scope.family();
                Message release = Message.of(MessageType.RELEASE, family, RANDOM.nextInt(), id);
                ask(release, server.getAddress(), MessageType.ACK);
            }
            held.clear();
            return new long[0];
        }

        private Message ask(Message request, InetAddress there, MessageType wanted)
                throws IOException {
            Message answer = socket.ask(request, there);
            if (answer.type() != wanted) {
                throw new CommandFailure(
                        ExitCode.SERVICE,
                        "the server answered a %s with %s; its quotas may be too small for this load"
                                .formatted(request.type(), answer));
            }
            return answer;
        }

        private void note(Message ack) {
            Option.AddressRangeList list = ack.find(Option.AddressRangeList.class);
            if (list == null || list.ranges().isEmpty()) {
                throw new CommandFailure(
                        ExitCode.SERVICE, "the pool is full: an ACK came without an address");
            }
            for (AddressRange range : list.ranges()) {
                if (!leased.add(range.first())) {
                    throw new CommandFailure(
                            ExitCode.SERVICE, "two leases have " + range.first() + ": a collision");
                }
            }
        }
    }

    private static NetAddress offerer(Message offer) {
        NetAddress offerer = offer.serverId();
        if (offerer == null) {
            throw new CommandFailure(ExitCode.SERVICE, "an OFFER came without a server identifier");
        }
        return offerer;
    }
}

package org.madcast.client.lease;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.madcast.client.CommunicatorConfig;
import org.madcast.madcap.AddressFamily;
import org.madcast.madcap.LeaseId;
import org.madcast.madcap.Message;
import org.madcast.madcap.MessageType;
import org.madcast.madcap.NetAddress;
import org.madcast.madcap.Option;
import org.madcast.madcap.ScopeZone;
import org.madcast.madcap.client.ExchangeEvent;
import org.madcast.madcap.client.ServerEndpoint;

/**
 * Gets an IPv4 group from an RFC 2730 server: from the one that is configured, else from whichever
 * of the Local Scope's servers answers first. All in a time that is given, and without a word to
 * the caller when no server answers. Ranks that share the loopback interface wait for none when
 * this machine has no server.
 */
final class MadcapServers {

    /** Less is not worth a try. */
    static final Duration LEAST = Duration.ofMillis(50);

    /** As long as an answer in a local network may take. */
    static final Duration MOST = Duration.ofMillis(500);

    private static final System.Logger LOG = System.getLogger(MadcapServers.class.getName());
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Duration LEASE_TIME = Duration.ofMinutes(10);
    private static final NetAddress SCOPE = ScopeZone.IPV4_LOCAL.first();

    private MadcapServers() {}

    /**
     * Leases a group.
     *
     * @param root where the ranks meet, to find the interface that leads to them
     * @param budget how long it may take
     * @return the lease, which renews itself until it is closed; empty when no server granted one
     */
    static Optional<MadcapLease> lease(
            CommunicatorConfig config, InetSocketAddress root, Duration budget) {
        boolean hopeless =
                config.madcap().equals(CommunicatorConfig.MADCAP_OFF)
                        || budget.compareTo(LEAST) < 0;
        if (hopeless) {
            return Optional.empty();
        }
        Duration most = budget.compareTo(MOST) < 0 ? budget : MOST;
        long endNs = System.nanoTime() + most.toNanos();
        try {
            InetAddress local = InetAddress.getByName(root.getHostString());
            if (!(local instanceof Inet4Address)) {
                return Optional.empty();
            }
            NetworkInterface device = interfaceOf(config, local);
            if (config.madcap().equals(CommunicatorConfig.MADCAP_AUTO)
                    && device != null
                    && device.isLoopback()
                    && !isServedHere()) {
                return Optional.empty();
            }
            ServerEndpoint server = server(config.madcap(), most.dividedBy(2));
            MadcapSocket socket = new MadcapSocket(device);
            Optional<MadcapLease> lease = Optional.empty();
            try {
                lease = ask(socket, server, Duration.ofNanos(endNs - System.nanoTime()));
                return lease;
            } finally {
                if (lease.isEmpty()) {
                    socket.close();
                }
            }
        } catch (InterruptedIOException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (IOException impossible) {
            LOG.log(Level.DEBUG, "no MADCAP: {0}", impossible.getMessage());
            return Optional.empty();
        }
    }

    /** Whether a program of this machine has the servers' port; true where that is unknown. */
    private static boolean isServedHere() {
        try {
            String port = ":%04X ".formatted(Message.SERVER_PORT);
            for (String sockets : List.of("/proc/net/udp", "/proc/net/udp6")) {
                if (Files.exists(Path.of(sockets))
                        && Files.readString(Path.of(sockets)).contains(port)) {
                    return true;
                }
            }
            return !Files.exists(Path.of("/proc/net/udp"));
        } catch (IOException unreadable) {
            return true;
        }
    }

    private static Optional<MadcapLease> ask(
            MadcapSocket socket, ServerEndpoint server, Duration most) throws IOException {
        if (most.compareTo(LEAST) < 0) {
            return Optional.empty();
        }
        byte[] random = new byte[LeaseId.RANDOM_BYTES];
        RANDOM.nextBytes(random);
        LeaseId id = LeaseId.random(random);
        Message request =
                Message.of(
                        server.isGroup() ? MessageType.DISCOVER : MessageType.REQUEST,
                        AddressFamily.IPV4,
                        RANDOM.nextInt(),
                        id,
                        new Option.MulticastScope(SCOPE),
                        new Option.LeaseTime(LEASE_TIME.toSeconds()));
        NetAddress[] taken = {server.isGroup() ? null : server.address()};
        ExchangeEvent.Outcome outcome =
                socket.ask(
                        request,
                        server,
                        List.of(most.dividedBy(4), most.dividedBy(2)),
                        most,
                        event -> {
                            if (event instanceof ExchangeEvent.OfferTaken(Message offer, int _)) {
                                taken[0] = offer.serverId();
                            }
                        });
        if (outcome instanceof ExchangeEvent.Granted(var granted)) {
            return Optional.of(MadcapLease.keep(socket, granted, server.port()));
        }
        LOG.log(Level.DEBUG, "MADCAP at {0}: {1}", server, outcome);
        if (outcome instanceof ExchangeEvent.NoResponse && taken[0] != null) {
            // It may have granted what we shall not use.
            socket.tell(release(id), new ServerEndpoint(taken[0], server.port()));
        }
        return Optional.empty();
    }

    /** Names no server: RFC 2730, table 5, forbids it. */
    static Message release(LeaseId id) {
        return Message.of(MessageType.RELEASE, AddressFamily.IPV4, RANDOM.nextInt(), id);
    }

    static Message renewal(LeaseId id) {
        return Message.of(
                MessageType.RENEW,
                AddressFamily.IPV4,
                RANDOM.nextInt(),
                id,
                new Option.LeaseTime(LEASE_TIME.toSeconds()));
    }

    private static ServerEndpoint server(String configured, Duration most) throws IOException {
        if (configured.equals(CommunicatorConfig.MADCAP_AUTO)) {
            return ServerEndpoint.at(ScopeZone.IPV4_LOCAL.serverAddress());
        }
        int colon = configured.indexOf(':');
        String host = colon < 0 ? configured : configured.substring(0, colon);
        int port =
                colon < 0 ? Message.SERVER_PORT : Integer.parseInt(configured.substring(colon + 1));
        return new ServerEndpoint(NetAddress.of(resolve(host, most)), port);
    }

    /** The address of a name; a resolver that is away is not waited for. */
    private static InetAddress resolve(String host, Duration most) throws IOException {
        FutureTask<InetAddress> resolving = new FutureTask<>(() -> InetAddress.getByName(host));
        Thread.ofVirtual().start(resolving);
        try {
            return resolving.get(most.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException unknown) {
            throw new IOException(host + " has no known address", unknown);
        } catch (InterruptedException interrupted) {
            throw (InterruptedIOException) new InterruptedIOException().initCause(interrupted);
        }
    }

    /** The interface that the ranks use, null when it is not known. */
    private static @Nullable NetworkInterface interfaceOf(
            CommunicatorConfig config, InetAddress local) throws IOException {
        String wanted = config.networkInterface();
        if (wanted == null) {
            return NetworkInterface.getByInetAddress(local);
        }
        NetworkInterface byName = NetworkInterface.getByName(wanted);
        return byName != null
                ? byName
                : NetworkInterface.getByInetAddress(InetAddress.getByName(wanted));
    }
}

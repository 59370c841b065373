package org.madcast.client.lease;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.madcast.client.GroupSource;
import org.madcast.client.MulticastGroup;
import org.madcast.madcap.MadcapError;
import org.madcast.madcap.client.ExchangeEvent;
import org.madcast.madcap.client.GrantedLease;
import org.madcast.madcap.client.ServerEndpoint;

/** A group leased from an RFC 2730 server. Its address came on all ports; the port was drawn. */
final class MadcapLease implements RenewingLease {

    private static final Duration RENEWAL_TIMEOUT = Duration.ofSeconds(5);
    private static final List<Duration> RENEWAL_AGAIN =
            List.of(Duration.ofSeconds(1), Duration.ofSeconds(3));
    private static final Duration RELEASE_TIMEOUT = Duration.ofMillis(600);
    private static final List<Duration> RELEASE_AGAIN =
            List.of(Duration.ofMillis(100), Duration.ofMillis(300));

    private final MadcapSocket socket;
    private final GrantedLease granted;
    private final ServerEndpoint server;
    private final MulticastGroup group;
    private final LeaseThread thread;
    private final AtomicBoolean closed = new AtomicBoolean();

    private MadcapLease(MadcapSocket socket, GrantedLease granted, int serverPort) {
        this.socket = socket;
        this.granted = granted;
        this.server = new ServerEndpoint(granted.serverId(), serverPort);
        String address = granted.ranges().getFirst().first().toString();
        this.group =
                new MulticastGroup(
                        InetAddress.ofLiteral(address), RandomGroups.seeded().drawPort());
        this.thread = new LeaseThread(id(), granted.leaseTime(), this::renew);
    }

    /** Keeps a lease that was just granted; the socket becomes the lease's own. */
    static MadcapLease keep(MadcapSocket socket, GrantedLease granted, int serverPort) {
        MadcapLease lease = new MadcapLease(socket, granted, serverPort);
        lease.thread.start();
        return lease;
    }

    @Override
    public MulticastGroup group() {
        return group;
    }

    @Override
    public GroupSource source() {
        return GroupSource.MADCAP;
    }

    @Override
    public String scope() {
        return granted.scopeId() + " by MADCAP at " + granted.serverId();
    }

    /** The lease identifier itself would let others release the lease. */
    @Override
    public String id() {
        return "madcap:" + granted.serverId() + ":" + group.address().getHostAddress();
    }

    @Override
    public Instant expiresAt() {
        return thread.expiresAt();
    }

    @Override
    public boolean isLost() {
        return thread.isLost();
    }

    private LeaseThread.Result renew() throws IOException {
        ExchangeEvent.Outcome outcome =
                socket.ask(
                        MadcapServers.renewal(granted.leaseId()),
                        server,
                        RENEWAL_AGAIN,
                        RENEWAL_TIMEOUT,
                        _ -> {});
        return switch (outcome) {
            case ExchangeEvent.Granted(GrantedLease renewed) ->
                    new LeaseThread.Result.Renewed(renewed.leaseTime());
            case ExchangeEvent.Refused(var _, MadcapError.LeaseNotRecognized()) ->
                    new LeaseThread.Result.Gone("the server does not know it");
            case ExchangeEvent.Refused _,
                    ExchangeEvent.NoResponse _,
                    ExchangeEvent.Released _,
                    ExchangeEvent.Informed _ ->
                    new LeaseThread.Result.Failed(reason(outcome));
        };
    }

    private static String reason(ExchangeEvent.Outcome outcome) {
        return outcome instanceof ExchangeEvent.NoResponse
                ? "its server does not answer"
                : outcome.toString();
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        thread.close();
        try (MadcapSocket own = new MadcapSocket(null)) {
            socket.close();
            ExchangeEvent.Outcome outcome =
                    own.ask(
                            MadcapServers.release(granted.leaseId()),
                            server,
                            RELEASE_AGAIN,
                            RELEASE_TIMEOUT,
                            _ -> {});
            if (!(outcome instanceof ExchangeEvent.Released)) {
                thread.warnOfUnreleased(reason(outcome));
            }
        } catch (IOException away) {
            thread.warnOfUnreleased(String.valueOf(away.getMessage()));
        }
    }
}

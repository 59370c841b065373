package org.madcast.client.lease;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.madcast.client.MulticastGroup;
import org.madcast.madcap.MadcapError;
import org.madcast.madcap.client.ExchangeEvent;
import org.madcast.madcap.client.GrantedLease;
import org.madcast.madcap.client.ServerEndpoint;

/**
 * A group leased from an RFC 2730 server, renewed on a daemon thread, as {@link LeaseKeeper} says,
 * until it is closed. Its address came on all ports; the port was drawn. Safe for every thread.
 */
final class MadcapLease implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(MadcapLease.class.getName());
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
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition closing = lock.newCondition();
    private final LeaseKeeper keeper;
    private final Thread thread;
    private volatile Instant expiresAt;
    private boolean closed;

    private MadcapLease(MadcapSocket socket, GrantedLease granted, int serverPort) {
        this.socket = socket;
        this.granted = granted;
        this.server = new ServerEndpoint(granted.serverId(), serverPort);
        String address = granted.ranges().getFirst().first().toString();
        this.group =
                new MulticastGroup(
                        InetAddress.ofLiteral(address), RandomGroups.seeded().drawPort());
        this.expiresAt = Instant.now().plus(granted.leaseTime());
        this.keeper = new LeaseKeeper(System.nanoTime(), granted.leaseTime().toNanos(), 0);
        this.thread = Thread.ofPlatform().daemon().name("madcast-lease-0").unstarted(this::keep);
    }

    /** Keeps a lease that was just granted; the socket becomes the lease's own. */
    static MadcapLease keep(MadcapSocket socket, GrantedLease granted, int serverPort) {
        MadcapLease lease = new MadcapLease(socket, granted, serverPort);
        lease.thread.start();
        return lease;
    }

    MulticastGroup group() {
        return group;
    }

    /** The scope and who leased from it, for people. */
    String scope() {
        return granted.scopeId() + " by MADCAP at " + granted.serverId();
    }

    /** What to look for in the server's log. The identifier itself would let others release it. */
    String id() {
        return "madcap:" + granted.serverId() + ":" + group.address().getHostAddress();
    }

    Instant expiresAt() {
        return expiresAt;
    }

    /** True when the lease ended although it is still in use. */
    boolean isLost() {
        lock.lock();
        try {
            return !closed && keeper.state(System.nanoTime()) == LeaseKeeper.State.LOST;
        } finally {
            lock.unlock();
        }
    }

    private void keep() {
        try {
            while (awaitNextRenewal()) {
                renew();
            }
        } catch (InterruptedException closingNow) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits; false when there is nothing left to renew. */
    private boolean awaitNextRenewal() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!closed && !keeper.isDue(System.nanoTime())) {
                if (keeper.state(System.nanoTime()) == LeaseKeeper.State.LOST) {
                    LOG.log(
                            Level.ERROR,
                            "lease {0} was not renewed in time and is lost; its group may belong to"
                                    + " others now",
                            id());
                    return false;
                }
                long unusedNs = closing.awaitNanos(keeper.waitNs(System.nanoTime()));
                LOG.log(Level.TRACE, "woke {0} ns early", unusedNs);
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    private void renew() {
        try {
            onOutcome(
                    socket.ask(
                            MadcapServers.renewal(granted.leaseId()),
                            server,
                            RENEWAL_AGAIN,
                            RENEWAL_TIMEOUT,
                            _ -> {}));
        } catch (IOException away) {
            LOG.log(Level.DEBUG, "lease {0} could not be renewed: {1}", id(), away.getMessage());
            decide(() -> keeper.onFailed(System.nanoTime()));
        }
    }

    private void onOutcome(ExchangeEvent.Outcome outcome) {
        switch (outcome) {
            case ExchangeEvent.Granted(GrantedLease renewed) -> {
                expiresAt = Instant.now().plus(renewed.leaseTime());
                decide(() -> keeper.onRenewed(System.nanoTime(), renewed.leaseTime().toNanos()));
            }
            case ExchangeEvent.Refused(var _, MadcapError.LeaseNotRecognized()) -> {
                LOG.log(Level.WARNING, "lease {0} is gone", id());
                decide(keeper::onRefused);
            }
            case ExchangeEvent.Refused _,
                    ExchangeEvent.NoResponse _,
                    ExchangeEvent.Released _,
                    ExchangeEvent.Informed _ -> {
                LOG.log(Level.DEBUG, "lease {0} could not be renewed: {1}", id(), outcome);
                decide(() -> keeper.onFailed(System.nanoTime()));
            }
        }
    }

    private void decide(Runnable transition) {
        lock.lock();
        try {
            transition.run();
        } finally {
            lock.unlock();
        }
    }

    /** Stops renewing and releases. Takes less than a second; never throws. */
    @Override
    public void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            closing.signalAll();
        } finally {
            lock.unlock();
        }
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
                warnOfUnreleased(outcome.toString());
            }
        } catch (IOException away) {
            warnOfUnreleased(String.valueOf(away.getMessage()));
        }
    }

    private void warnOfUnreleased(String reason) {
        LOG.log(
                Level.WARNING,
                "lease {0} could not be released ({1}); it expires at {2}",
                id(),
                reason,
                expiresAt);
    }
}

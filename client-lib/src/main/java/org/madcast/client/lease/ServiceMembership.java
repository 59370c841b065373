package org.madcast.client.lease;

import com.grack.nanojson.JsonObject;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A registered rank: keeps its membership and the communicator's lease alive on a daemon thread, as
 * {@link LeaseKeeper} says, until it leaves. Safe for every thread.
 */
final class ServiceMembership {

    private static final System.Logger LOG = System.getLogger(ServiceMembership.class.getName());
    private static final Duration RENEWAL_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration LEAVE_TIMEOUT = Duration.ofSeconds(3);

    private final ServiceConnection service;
    private final Place place;
    private final Duration renewal;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition leaving = lock.newCondition();
    private final LeaseKeeper keeper;
    private final Thread thread;
    private volatile Instant leaseExpiresAt;
    private boolean left;

    /**
     * Where a membership lives.
     *
     * @param communicatorId the communicator's id at the service
     * @param rank this process's number
     * @param size how many processes take part
     * @param memberSecret what proves that this process is the member
     * @param leaseId the communicator's lease
     */
    record Place(String communicatorId, int rank, int size, String memberSecret, String leaseId) {

        String path() {
            return "v1/communicators/" + communicatorId + "/members/" + rank;
        }

        @Override
        public String toString() {
            return path();
        }
    }

    /** Starts to renew a lease that lasts until {@code expiresAt}, {@code granted} from now. */
    ServiceMembership(
            ServiceConnection service,
            Place place,
            Duration renewal,
            Duration granted,
            Instant expiresAt) {
        this.service = service;
        this.place = place;
        this.renewal = renewal;
        this.leaseExpiresAt = expiresAt;
        this.keeper =
                new LeaseKeeper(
                        System.nanoTime(), granted.toNanos(), (double) place.rank() / place.size());
        this.thread =
                Thread.ofPlatform()
                        .daemon()
                        .name("madcast-lease-" + place.rank())
                        .start(this::keepAlive);
    }

    Place place() {
        return place;
    }

    Map<String, String> secretHeader() {
        return Map.of("Madcast-Member-Secret", place.memberSecret());
    }

    Instant leaseExpiresAt() {
        return leaseExpiresAt;
    }

    boolean leaseLost() {
        lock.lock();
        try {
            return !left && keeper.state(System.nanoTime()) == LeaseKeeper.State.LOST;
        } finally {
            lock.unlock();
        }
    }

    private void keepAlive() {
        try {
            while (awaitNextRenewal()) {
                renew();
            }
        } catch (InterruptedException leavingNow) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits; false when there is nothing left to renew. */
    private boolean awaitNextRenewal() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!left && !keeper.isDue(System.nanoTime())) {
                if (keeper.state(System.nanoTime()) == LeaseKeeper.State.LOST) {
                    LOG.log(
                            Level.ERROR,
                            "lease {0} was not renewed in time and is lost; its group may belong to"
                                    + " others now",
                            place.leaseId());
                    return false;
                }
                long waitNs = keeper.waitNs(System.nanoTime());
                long unusedNs = leaving.awaitNanos(waitNs);
                LOG.log(Level.TRACE, "woke {0} ns early", unusedNs);
            }
            return !left;
        } finally {
            lock.unlock();
        }
    }

    private void renew() throws InterruptedException {
        JsonObject body = new JsonObject();
        body.put("durationSeconds", renewal.toSeconds());
        try {
            ServiceConnection.Answer answer =
                    service.post(place.path() + "/renewal", body, secretHeader(), RENEWAL_TIMEOUT);
            if (answer.isOk()) {
                onRenewed(answer);
            } else if (answer.status() == 404 || answer.status() == 410) {
                onRefused(answer.explanation());
            } else {
                onFailed(answer.explanation());
            }
        } catch (IOException away) {
            onFailed(String.valueOf(away.getMessage()));
        }
    }

    private void onRenewed(ServiceConnection.Answer answer) throws IOException {
        Instant expiresAt = answer.body().instant("leaseExpiresAt");
        leaseExpiresAt = expiresAt;
        long grantedNs = answer.until(expiresAt).toNanos();
        lock.lock();
        try {
            keeper.onRenewed(System.nanoTime(), grantedNs);
        } finally {
            lock.unlock();
        }
    }

    private void onFailed(String reason) {
        lock.lock();
        try {
            keeper.onFailed(System.nanoTime());
        } finally {
            lock.unlock();
        }
        LOG.log(
                Level.DEBUG,
                "lease {0} could not be renewed: {1}; it expires at {2}",
                place.leaseId(),
                reason,
                leaseExpiresAt);
    }

    private void onRefused(String reason) {
        lock.lock();
        try {
            keeper.onRefused();
        } finally {
            lock.unlock();
        }
        LOG.log(Level.WARNING, "lease {0} is gone: {1}", place.leaseId(), reason);
    }

    /**
     * Stops renewing and tells the service, also on a thread that was interrupted, which finds its
     * flag set again. Takes about a second at most; never throws.
     */
    void leave() {
        if (!markLeft()) {
            return;
        }
        boolean interruptedBefore = Thread.interrupted();
        try {
            tellService();
        } finally {
            if (interruptedBefore) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void tellService() {
        try {
            ServiceConnection.Answer answer =
                    service.delete(place.path(), secretHeader(), LEAVE_TIMEOUT);
            if (!answer.isOk() && answer.status() != 404) {
                warnOfUnreleased(answer.explanation());
            }
        } catch (IOException away) {
            warnOfUnreleased(String.valueOf(away.getMessage()));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            warnOfUnreleased("interrupted");
        }
    }

    private boolean markLeft() {
        lock.lock();
        try {
            boolean first = !left;
            left = true;
            leaving.signalAll();
            return first;
        } finally {
            lock.unlock();
            thread.interrupt();
        }
    }

    private void warnOfUnreleased(String reason) {
        LOG.log(
                Level.WARNING,
                "lease {0} could not be released ({1}); it expires at {2}",
                place.leaseId(),
                reason,
                leaseExpiresAt);
    }
}

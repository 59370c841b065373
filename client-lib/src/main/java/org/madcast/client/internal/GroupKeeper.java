package org.madcast.client.internal;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.madcast.client.GroupSource;
import org.madcast.client.MulticastGroup;
import org.madcast.client.io.EngineLoop;
import org.madcast.client.lease.Rendezvous;
import org.madcast.client.lease.ReplacementGroup;
import org.madcast.client.protocol.BroadcastEngine;
import org.madcast.client.protocol.GroupAddress;
import org.madcast.client.protocol.GroupState;

/**
 * Looks from time to time whether the group is still the communicator's own. A rank that has lost
 * the lease has the engine stop using the group, at once; rank 0 then gets another one and takes
 * all ranks there. A group that was drawn at random is also left when datagrams of another
 * communicator arrive in it. When multicast does not work, rank 0 has all ranks join the group once
 * more from time to time, which also tells the switches again who listens, and try. On a thread of
 * its own.
 */
final class GroupKeeper implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(GroupKeeper.class.getName());
    private static final Duration LOOK_INTERVAL = Duration.ofMillis(250);

    /** Fewer datagrams of others are strays, such as those of an earlier job. */
    private static final long FOREIGN_DATAGRAMS = 8;

    /** From one move to the next: long enough to see whether the last one helped. */
    private static final Duration LEAST_STAY = Duration.ofSeconds(5);

    /** From multicast's death to the first trial; then twice as long each time. */
    private static final Duration FIRST_TRIAL = Duration.ofSeconds(2);

    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

    private final Rendezvous rendezvous;
    private final BroadcastEngine engine;
    private final EngineLoop loop;
    private final boolean leads;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;
    private MulticastGroup group;
    private GroupSource source;
    private long foreignBefore;
    private @Nullable Long movedNs;
    private Duration pause = FIRST_TRIAL;
    private long changedNs = System.nanoTime();
    private boolean worked = true;

    private GroupKeeper(Rendezvous rendezvous, BroadcastEngine engine, EngineLoop loop, int rank) {
        this.rendezvous = rendezvous;
        this.engine = engine;
        this.loop = loop;
        this.leads = rank == 0;
        this.group = rendezvous.group();
        this.source = rendezvous.groupSource();
        this.thread =
                Thread.ofPlatform().daemon().name("madcast-group-" + rank).unstarted(this::watch);
    }

    /** Begins to look. */
    static GroupKeeper start(
            Rendezvous rendezvous, BroadcastEngine engine, EngineLoop loop, int rank) {
        GroupKeeper keeper = new GroupKeeper(rendezvous, engine, loop, rank);
        keeper.thread.start();
        return keeper;
    }

    private void watch() {
        try {
            while (!closing.await(LOOK_INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
                look();
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() throws InterruptedException {
        boolean firstGroup = loop.read(() -> engine.movedTo() == null);
        // What another rank than 0 knows of a lease is about the first group's.
        boolean lost = (leads || firstGroup) && rendezvous.leaseLost();
        if (lost) {
            // Again and again: while a group is being probed it is not heard.
            loop.with(() -> {
                engine.loseGroup(System.nanoTime());
                return true;
            });
        }
        if (leads && !lost && loop.read(engine::hasStrayedRank)) {
            LOG.log(Level.WARNING, "a rank left group {0} without being asked; all join it", group);
            send(group);
        } else if (leads && mayMove() && (lost || hasCollided())) {
            move(lost ? "its lease is lost" : "others send to it");
        } else if (leads && !lost) {
            tryAgain();
        }
    }

    private void tryAgain() {
        GroupState state = loop.read(engine::groupState);
        boolean works = state != GroupState.UNICAST;
        long nowNs = System.nanoTime();
        if (works != worked) {
            worked = works;
            changedNs = nowNs;
        }
        Duration sinceChange = Duration.ofNanos(nowNs - changedNs);
        if (works) {
            pause = sinceChange.compareTo(LONGEST_PAUSE) < 0 ? pause : FIRST_TRIAL;
        } else if (sinceChange.compareTo(pause) >= 0) {
            LOG.log(Level.DEBUG, "multicast to {0} does not work; all join it again", group);
            pause = min(pause.multipliedBy(2), LONGEST_PAUSE);
            changedNs = nowNs;
            send(group);
        }
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private boolean mayMove() {
        Long since = movedNs;
        return since == null || System.nanoTime() - since >= LEAST_STAY.toNanos();
    }

    private boolean hasCollided() {
        long foreign = foreign();
        boolean collided =
                source == GroupSource.RANDOM && foreign - foreignBefore >= FOREIGN_DATAGRAMS;
        foreignBefore = foreign;
        return collided;
    }

    /**
     * Datagrams in the group of another token, or, where ours are sealed, without our seal. What
     * strangers send to this rank's own port says nothing about the group, and would chase the
     * communicator from one to the next.
     */
    private long foreign() {
        return loop.read(() -> engine.counters().collisions() + loop.refusedOfGroup());
    }

    private void move(String reason) throws InterruptedException {
        Optional<ReplacementGroup> fresh = rendezvous.freshGroup(group);
        movedNs = System.nanoTime();
        if (fresh.isEmpty()) {
            return;
        }
        MulticastGroup to = fresh.get().group();
        LOG.log(
                Level.WARNING,
                "the communicator leaves group {0}, since {1}, for {2} ({3})",
                group,
                reason,
                to,
                fresh.get().source());
        group = to;
        source = fresh.get().source();
        send(to);
        foreignBefore = foreign();
    }

    private void send(MulticastGroup to) {
        GroupAddress address =
                GroupAddress.of(to.address().getAddress(), to.port(), OriginCode.of(source));
        loop.with(() -> {
            // What was asked for may come after the end, when the engine's memory is gone.
            boolean open = closing.getCount() > 0;
            if (open) {
                engine.moveTo(System.nanoTime(), address);
            }
            return open;
        });
    }

    /** Looks no more; a lease that is being asked for is not waited for. */
    @Override
    public void close() {
        closing.countDown();
        thread.interrupt();
    }
}

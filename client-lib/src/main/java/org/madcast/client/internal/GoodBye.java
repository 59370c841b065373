package org.madcast.client.internal;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.io.EngineLoop;
import org.madcast.client.protocol.BroadcastEngine;

/** How a rank leaves a communicator with an engine, on the thread that closes it. */
final class GoodBye {

    private static final System.Logger LOG = System.getLogger(GoodBye.class.getName());
    private static final Duration LEAVE_TIME = Duration.ofSeconds(1);

    private static final long FAILURE_NS = TimeUnit.SECONDS.toNanos(1);

    private final CommunicatorConfig config;
    private final BroadcastEngine engine;
    private final EngineLoop loop;

    GoodBye(CommunicatorConfig config, BroadcastEngine engine, EngineLoop loop) {
        this.config = config;
        this.engine = engine;
        this.loop = loop;
    }

    /**
     * A call of another thread is waited for; one that has not ended in half of the death timeout
     * ends with this rank's leaving.
     */
    void lock(ReentrantLock calls, BooleanSupplier closed) {
        long patienceNs = config.parameters().deathTimeout().toNanos() / 2;
        boolean interrupted = false;
        for (boolean locked = false; !locked; patienceNs = LEAVE_TIME.toNanos()) {
            try {
                locked = calls.tryLock(patienceNs, TimeUnit.NANOSECONDS);
            } catch (InterruptedException hurried) {
                interrupted = true;
            }
            if (!locked && !closed.getAsBoolean()) {
                boolean _ = loop.with(() -> engine.abandon(System.nanoTime()));
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** What was begun is ended first, unless a rank does not do its part in time. */
    void await(BooleanSupplier nothingPending) {
        await(nothingPending, config.parameters().deathTimeout().toNanos());
    }

    /**
     * Ranks that hear of this one's leaving before they hear of a failure take it for the reason.
     */
    void awaitFailure() {
        await(() -> engine.failure() != null, FAILURE_NS);
    }

    private void await(BooleanSupplier condition, long patienceNs) {
        try {
            boolean _ = loop.callAndAwait(() -> {}, condition, patienceNs);
        } catch (IOException broken) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "rank {0} closed with calls under way: {1}",
                    config.rank(),
                    broken.getMessage());
        }
    }

    /** A rank that makes progress is waited for, any other no longer than a dead one. */
    void leave() {
        long patienceNs = config.parameters().deathTimeout().plus(LEAVE_TIME).toNanos();
        try {
            long before;
            boolean left;
            do {
                before = loop.read(engine::watermark);
                left =
                        loop.callAndAwait(
                                () -> engine.leave(System.nanoTime()), engine::hasLeft, patienceNs);
            } while (!left && loop.read(engine::watermark) > before);
        } catch (IOException broken) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "rank {0} left without a good-bye: {1}",
                    config.rank(),
                    broken.getMessage());
        }
    }
}

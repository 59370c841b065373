package org.madcast.client.internal;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.madcast.client.Collective;
import org.madcast.client.report.CallRecorder;

/**
 * A barrier of the broadcast engine: a place in the stream that every rank must have passed.
 * Reports go up the tree of ranks, and the result comes down by one multicast.
 */
final class EngineBarrier implements Collective {

    private final MessageGroup group;
    private final Runnable waiting;
    private final Supplier<CompletableFuture<Void>> beginning;
    private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

    /**
     * A call that has not begun.
     *
     * @param waiting passes the barrier
     * @param beginning begins to
     */
    EngineBarrier(
            MessageGroup group, Runnable waiting, Supplier<CompletableFuture<Void>> beginning) {
        this.group = group;
        this.waiting = waiting;
        this.beginning = beginning;
    }

    @Override
    public void run() {
        checkOver();
        long began = group.calls().begin();
        group.calls().waits();
        try {
            waiting.run();
        } finally {
            group.ended(began, CallRecorder.BARRIER, 0, -1);
        }
    }

    @Override
    public CompletableFuture<Void> start() {
        checkOver();
        long began = group.calls().begin();
        try {
            last = beginning.get();
            return last;
        } finally {
            group.ended(began, CallRecorder.BARRIER + CallRecorder.BEGUN, 0, -1);
        }
    }

    private void checkOver() {
        if (!last.isDone()) {
            throw new IllegalStateException("the collective call runs already");
        }
    }
}

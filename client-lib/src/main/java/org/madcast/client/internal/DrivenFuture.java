package org.madcast.client.internal;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.madcast.client.MadcastException;
import org.madcast.client.message.MessageEndpoint;

/**
 * A future whose waiting callers drive the endpoint, so that no other thread has to be woken. Code
 * that depends on it runs on a thread of its own, not on the one that drives.
 */
final class DrivenFuture<T> extends RecordedFuture<T> {

    private final MessageEndpoint endpoint;
    private final BooleanSupplier cancellation;
    private volatile boolean finished;
    private @Nullable T value;
    private @Nullable MadcastException failure;

    /**
     * A future that has not ended.
     *
     * @param rank the rank on which it depends, as far as that is known; else -1
     * @param cancellation what {@link #cancel} tries
     */
    DrivenFuture(MessageGroup group, int rank, BooleanSupplier cancellation) {
        super(group, rank);
        this.endpoint = group.endpoint();
        this.cancellation = cancellation;
    }

    /** Ends it; under the endpoint's lock. */
    void finish(@Nullable T result, @Nullable MadcastException why) {
        value = result;
        failure = why;
        finished = true;
        endpoint.defer(this::settle);
    }

    private void settle() {
        if (getNumberOfDependents() > 0) {
            Thread _ = Thread.startVirtualThread(this::completeNow);
        } else {
            completeNow();
        }
    }

    @SuppressWarnings("NullAway") // null is the value of a future without one
    private void completeNow() {
        boolean _ = failure == null ? complete(value) : completeExceptionally(failure);
    }

    @Override
    void drive(long timeoutNs) {
        if (!isDone() && endpoint.await(() -> finished, timeoutNs)) {
            completeNow();
        }
    }

    /** Takes a receive back unless a message has matched it; nothing else can be cancelled. */
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return cancellation.getAsBoolean();
    }
}

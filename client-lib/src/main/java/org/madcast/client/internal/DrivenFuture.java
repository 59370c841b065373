package org.madcast.client.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.madcast.client.MadcastException;
import org.madcast.client.message.MessageEndpoint;

/**
 * A future whose waiting callers drive the endpoint, so that no other thread has to be woken. Code
 * that depends on it runs on a thread of its own, not on the one that drives.
 */
final class DrivenFuture<T> extends CompletableFuture<T> {

    private final MessageEndpoint endpoint;
    private final BooleanSupplier cancellation;
    private volatile boolean finished;
    private @Nullable T value;
    private @Nullable MadcastException failure;

    /**
     * A future that has not ended.
     *
     * @param cancellation what {@link #cancel} tries
     */
    DrivenFuture(MessageEndpoint endpoint, BooleanSupplier cancellation) {
        this.endpoint = endpoint;
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

    private void drive(long timeoutNs) {
        if (isDone()) {
            return;
        }
        long startedNs = CallReport.beginWait();
        if (endpoint.await(() -> finished, timeoutNs)) {
            completeNow();
        }
        CallReport.endWait(startedNs);
    }

    @Override
    public T join() {
        drive(Long.MAX_VALUE);
        return super.join();
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        drive(Long.MAX_VALUE);
        return super.get();
    }

    @Override
    public T get(long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        long endNs = System.nanoTime() + unit.toNanos(timeout);
        drive(unit.toNanos(timeout));
        return super.get(Math.max(0, endNs - System.nanoTime()), TimeUnit.NANOSECONDS);
    }

    /** Takes a receive back unless a message has matched it; nothing else can be cancelled. */
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return cancellation.getAsBoolean();
    }
}

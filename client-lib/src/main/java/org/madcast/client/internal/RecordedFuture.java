package org.madcast.client.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.madcast.client.report.CallRecorder;

/** A future, waiting for which is a call of the profile. */
class RecordedFuture<T> extends CompletableFuture<T> {

    private final MessageGroup group;

    /** The rank on which it depends; -1 if none is known. */
    private volatile int rank;

    RecordedFuture(MessageGroup group, int rank) {
        this.group = group;
        this.rank = rank;
    }

    final void dependsOn(int on) {
        rank = on;
    }

    final int rank() {
        return rank;
    }

    /** Does what the caller can do for it to end. */
    void drive(long timeoutNs) {}

    private long begin() {
        CallRecorder calls = group.calls();
        long began = calls.begin();
        calls.waits();
        return began;
    }

    private void end(long began) {
        group.ended(began, CallRecorder.WAIT, 0, rank);
    }

    @Override
    public final T join() {
        if (isDone()) {
            return super.join();
        }
        long began = begin();
        try {
            drive(Long.MAX_VALUE);
            return super.join();
        } finally {
            end(began);
        }
    }

    @Override
    public final T get() throws InterruptedException, ExecutionException {
        if (isDone()) {
            return super.get();
        }
        long began = begin();
        try {
            drive(Long.MAX_VALUE);
            return super.get();
        } finally {
            end(began);
        }
    }

    @Override
    public final T get(long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        long endNs = System.nanoTime() + unit.toNanos(timeout);
        long began = begin();
        try {
            drive(unit.toNanos(timeout));
            return super.get(Math.max(0, endNs - System.nanoTime()), TimeUnit.NANOSECONDS);
        } finally {
            end(began);
        }
    }
}

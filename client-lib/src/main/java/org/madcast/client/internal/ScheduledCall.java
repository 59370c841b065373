package org.madcast.client.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Collective;
import org.madcast.client.ReduceOperation;
import org.madcast.client.report.CallRecorder;
import org.madcast.client.schedule.Schedule;

/** A collective call: its arguments are checked, its schedule is made, it has not begun. */
final class ScheduledCall implements Collective {

    private static final MemorySegment EMPTY = ScheduleRun.EMPTY;

    private final CollectiveCommunicator communicator;
    private final Schedule schedule;
    private final ScheduleRun.Buffers buffers;
    private final long signature;
    private @Nullable ScheduleRun run;

    /**
     * A call.
     *
     * @param signature what all ranks must agree on
     * @param operation null for a call that combines nothing
     */
    ScheduledCall(
            CollectiveCommunicator communicator,
            long signature,
            Schedule schedule,
            MemorySegment input,
            MemorySegment output,
            @Nullable ReduceOperation operation) {
        long elementBytes = operation == null ? 1 : operation.elementBytes();
        long scratchBytes = schedule.scratch() * elementBytes;
        MemorySegment scratch =
                scratchBytes == 0 ? EMPTY : Arena.ofAuto().allocate(scratchBytes, Long.BYTES);
        this.communicator = communicator;
        this.signature = signature;
        this.schedule = schedule;
        this.buffers =
                new ScheduleRun.Buffers(input, output, scratch, elementBytes, operation, null);
    }

    /** Messages between some ranks. */
    ScheduledCall(CollectiveCommunicator communicator, EdgeExchange edges) {
        this.communicator = communicator;
        this.signature = CallSignature.of(CallSignature.Operation.EXCHANGE, 0, 0);
        this.schedule = edges.schedule();
        this.buffers = ScheduleRun.Buffers.of(edges);
    }

    @Override
    public CompletableFuture<Void> start() {
        long began = group().calls().begin();
        try {
            return begin();
        } finally {
            ended(began, CallSignature.kind(signature) + CallRecorder.BEGUN, -1);
        }
    }

    @Override
    public void run() {
        long began = group().calls().begin();
        int last = -1;
        try {
            DrivenFuture<Void> running = begin();
            group().calls().waits();
            CollectiveCommunicator.await(running);
            last = running.rank();
        } finally {
            ended(began, CallSignature.kind(signature), last);
        }
    }

    private MessageGroup group() {
        return communicator.group();
    }

    private void ended(long began, int kind, int rank) {
        long bytes = Math.max(buffers.input().byteSize(), buffers.output().byteSize());
        group().ended(began, kind, bytes, rank);
    }

    private DrivenFuture<Void> begin() {
        communicator.checkOpen();
        DrivenFuture<Void> result = new DrivenFuture<>(group(), -1, () -> false);
        return group().endpoint()
                .with(() -> {
                    if (run != null && !run.isOver()) {
                        throw new IllegalStateException("the collective call runs already");
                    }
                    run = new ScheduleRun(group(), schedule, buffers, signature, result);
                    run.start();
                    return result;
                });
    }
}

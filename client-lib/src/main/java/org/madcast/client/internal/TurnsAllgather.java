package org.madcast.client.internal;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Collective;
import org.madcast.client.MadcastException;
import org.madcast.client.RankLostException;
import org.madcast.client.internal.MessageGroup.Running;
import org.madcast.client.report.CallRecorder;
import org.madcast.client.schedule.Counts;

/**
 * An allgather in which each rank in turn broadcasts its part (MPI_Allgather, MPI_Allgatherv). With
 * multicast a rank sends its part once, where a ring of messages sends it P - 1 times.
 *
 * <p>A round of empty messages goes around the ranks beside it. By these a rank that calls
 * something else is found, as in collectives that go by messages.
 */
final class TurnsAllgather implements Collective {

    private final MessageGroup group;
    private final int kind;
    private final Collective check;
    private final BiFunction<MemorySegment, Integer, CompletableFuture<Void>> broadcast;
    private final MemorySegment data;
    private final MemorySegment gathered;
    private final Counts counts;
    private @Nullable Turn turn;

    /**
     * A call that has not begun.
     *
     * @param kind as the profile of calls numbers them
     * @param check the round of empty messages
     * @param broadcast starts the broadcast of a part from a rank
     */
    TurnsAllgather(
            MessageGroup group,
            int kind,
            Collective check,
            BiFunction<MemorySegment, Integer, CompletableFuture<Void>> broadcast,
            MemorySegment data,
            MemorySegment gathered,
            Counts counts) {
        this.group = group;
        this.kind = kind;
        this.check = check;
        this.broadcast = broadcast;
        this.data = data;
        this.gathered = gathered;
        this.counts = counts;
    }

    @Override
    public CompletableFuture<Void> start() {
        return recorded(CallRecorder.BEGUN, this::begin);
    }

    @Override
    public void run() {
        boolean _ =
                recorded(
                        0,
                        () -> {
                            CompletableFuture<Void> begun = begin();
                            group.calls().waits();
                            CollectiveCommunicator.await(begun);
                            return true;
                        });
    }

    private <T> T recorded(int how, Supplier<T> action) {
        long began = group.calls().begin();
        try {
            return action.get();
        } finally {
            group.ended(began, kind + how, gathered.byteSize(), -1);
        }
    }

    private CompletableFuture<Void> begin() {
        Turn before = turn;
        if (before != null && !before.result.isDone()) {
            throw new IllegalStateException("the collective call runs already");
        }
        CompletableFuture<Void> checked = check.start();
        Turn next = new Turn();
        turn = next;
        next.enter();
        part(group.self()).copyFrom(data);
        CompletableFuture<?>[] all = new CompletableFuture<?>[group.size() + 1];
        for (int rank = 0; rank < group.size(); rank++) {
            all[rank] =
                    counts.count(rank) == 0
                            ? CompletableFuture.completedFuture(null)
                            : broadcast.apply(part(rank), rank);
        }
        all[group.size()] = checked;
        for (CompletableFuture<?> each : all) {
            CompletableFuture<?> _ = each.whenComplete((_, why) -> next.ended(why));
        }
        CompletableFuture<Void> _ = CompletableFuture.allOf(all).thenRun(next::succeeded);
        return next.result;
    }

    private MemorySegment part(int rank) {
        return gathered.asSlice(counts.offset(rank), counts.count(rank));
    }

    /**
     * One run of the call. Ranks that have heard of a mismatch may leave before the report of it is
     * here; so after a loss the report is waited for, and ends the call if it comes.
     */
    private final class Turn implements Running {
        private final CompletableFuture<Void> result = new RecordedFuture<>(group, -1);
        private final AtomicBoolean ending = new AtomicBoolean();
        private volatile @Nullable MadcastException reported;

        @Override
        public void fail(MadcastException why) {
            reported = why;
            end(why);
        }

        void ended(@Nullable Throwable why) {
            if (why != null) {
                end(why);
            }
        }

        /** On a thread of its own, since the caller may hold the endpoint's lock. */
        private void end(Throwable why) {
            if (!ending.getAndSet(true)) {
                Thread _ =
                        Thread.startVirtualThread(() -> {
                            if (why instanceof RankLostException) {
                                boolean _ = group.awaitReport(() -> reported != null);
                            }
                            leave();
                            MadcastException told = reported;
                            boolean _ = result.completeExceptionally(told == null ? why : told);
                        });
            }
        }

        void succeeded() {
            leave();
            boolean _ = result.complete(null);
        }

        void enter() {
            boolean _ = group.endpoint().with(() -> group.enter(this));
        }

        private void leave() {
            boolean _ = group.endpoint().with(() -> group.end(this));
        }
    }
}

package org.madcast.client.internal;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Collective;
import org.madcast.client.MadcastException;
import org.madcast.client.RankLostException;
import org.madcast.client.internal.MessageGroup.Running;
import org.madcast.client.report.CallRecorder;

/**
 * A collective call in which each rank broadcasts its part (MPI_Allgather, MPI_Allgatherv, and
 * MPI_Allreduce of short data, where each rank combines the parts by itself). The broadcasts are
 * called together, so that each root knows its place in the stream and none waits for another's
 * latency. A rank sends its part once; by messages it would send it, or pass others on, P - 1
 * times.
 */
final class ManyRoots implements Collective {

    /** The broadcasts of a communicator. */
    interface Multicast {

        /** Broadcasts the part of each rank and waits. */
        void exchange(MemorySegment[] parts, int kind);

        /** Begins to. */
        CompletableFuture<Void> begin(MemorySegment[] parts, int kind);

        /** Ends the broadcasts that are under way. */
        void abandon();
    }

    private static final long AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final MessageGroup group;
    private final Multicast multicast;
    private final long call;
    private final MemorySegment data;
    private final MemorySegment[] parts;
    private final Runnable whenHere;
    private final long bytes;
    private @Nullable Run run;

    /**
     * A call that has not begun.
     *
     * @param call what must be the same on all ranks
     * @param data this rank's part
     * @param parts where those of all ranks are wanted
     * @param whenHere what is to be done when they are there; what it throws ends the call
     */
    ManyRoots(
            MessageGroup group,
            Multicast multicast,
            long call,
            MemorySegment data,
            MemorySegment[] parts,
            Runnable whenHere) {
        this.group = group;
        this.multicast = multicast;
        this.call = call;
        this.data = data;
        this.parts = parts;
        this.whenHere = whenHere;
        long sum = 0;
        for (MemorySegment part : parts) {
            sum += part.byteSize();
        }
        this.bytes = sum;
    }

    @Override
    public CompletableFuture<Void> start() {
        long began = group.calls().begin();
        try {
            return begin().start();
        } finally {
            group.ended(began, kind() + CallRecorder.BEGUN, bytes, -1);
        }
    }

    @Override
    public void run() {
        long began = group.calls().begin();
        try {
            Run next = begin();
            group.calls().waits();
            next.await();
        } finally {
            group.ended(began, kind(), bytes, -1);
        }
    }

    private int kind() {
        return CallSignature.kind(call);
    }

    private Run begin() {
        Run before = run;
        if (before != null && !before.over) {
            throw new IllegalStateException("the collective call runs already");
        }
        Run next = new Run();
        run = next;
        next.enter();
        parts[group.self()].copyFrom(data);
        group.calls().multicast(data.byteSize());
        return next;
    }

    /**
     * One run of the call. Ranks that have heard of a mismatch may leave before the report of it is
     * here; so after a loss the report is waited for, and ends the call if it comes.
     */
    private final class Run implements Running {
        private final CompletableFuture<Void> result = new RecordedFuture<>(group, -1);
        private final Patience patience = new Patience();
        private int number;
        private volatile @Nullable MadcastException reported;
        private volatile boolean over;

        void enter() {
            boolean _ =
                    group.endpoint()
                            .with(() -> {
                                number = group.begin(this, call);
                                return true;
                            });
        }

        private void leave() {
            over = true;
            boolean _ = group.endpoint().with(() -> group.end(this));
        }

        CompletableFuture<Void> start() {
            CompletableFuture<Void> sent = CompletableFuture.completedFuture(null);
            try {
                if (bytes > 0) {
                    sent = multicast.begin(parts, kind());
                }
            } catch (RuntimeException refused) {
                leave();
                throw refused;
            }
            CompletableFuture<Void> _ = sent.whenComplete((_, why) -> ended(why));
            return result;
        }

        void await() {
            try {
                if (bytes > 0) {
                    multicast.exchange(parts, kind());
                }
                whenHere.run();
            } catch (RankLostException lost) {
                throw awaitReport(lost);
            } finally {
                leave();
            }
        }

        private MadcastException awaitReport(RankLostException lost) {
            boolean _ = group.awaitReport(() -> reported != null);
            MadcastException told = reported;
            return told == null ? lost : told;
        }

        /** On a thread that may wait. */
        private void ended(@Nullable Throwable why) {
            Throwable end = why instanceof RankLostException lost ? awaitReport(lost) : why;
            try {
                if (end == null) {
                    whenHere.run();
                }
            } catch (RuntimeException | Error thrown) {
                end = thrown;
            }
            leave();
            boolean _ = end == null ? result.complete(null) : result.completeExceptionally(end);
        }

        /** On a thread of its own, since the endpoint's lock is held. */
        @Override
        public void fail(MadcastException why) {
            reported = why;
            Background.run(() -> {
                do {
                    multicast.abandon();
                } while (!group.endpoint().await(() -> over, AGAIN_NS));
            });
        }

        @Override
        public void onTime(long nowNs) {
            if (patience.ends(nowNs, 0)) {
                for (int rank = 0; rank < group.size(); rank++) {
                    if (rank != group.self()) {
                        group.announce(rank, number, call);
                    }
                }
            }
        }
    }
}

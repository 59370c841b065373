package org.madcast.client.internal;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Collective;
import org.madcast.client.MadcastException;
import org.madcast.client.RankLostException;

/**
 * A short call whose result all ranks get (MPI_Allreduce, MPI_Allgather): by messages to rank 0,
 * which multicasts it. That takes P - 1 messages, where an exchange among all takes P log P.
 *
 * <p>Only a caller who waits is served so: a broadcast takes its place in the order of calls when
 * it begins, which is here after the messages. What is begun and not waited for goes by messages
 * alone.
 */
final class ThroughRoot implements Collective, MessageGroup.Running {

    static final int ROOT = 0;

    private static final long AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(20);

    /** The broadcasts of a communicator. */
    interface Multicast {

        /** Broadcasts and waits, without a root delay; not reported. */
        void broadcast(MemorySegment message, int root);

        /** Ends a broadcast that waits, if there is one. */
        void abandon();
    }

    private final MessageGroup group;
    private final int kind;
    private final Multicast multicast;
    private final Collective toRoot;
    private final MemorySegment result;
    private final Supplier<Collective> byMessages;
    private @Nullable Collective begun;
    private volatile @Nullable MadcastException reported;
    private volatile boolean over;

    /**
     * A call that has not begun.
     *
     * @param kind as the profile of calls numbers them
     * @param toRoot brings the result to rank 0
     * @param result where it is then, and where the other ranks want it
     * @param byMessages makes the same call without multicast, which only what is begun needs
     */
    ThroughRoot(
            MessageGroup group,
            int kind,
            Multicast multicast,
            Collective toRoot,
            MemorySegment result,
            Supplier<Collective> byMessages) {
        this.group = group;
        this.kind = kind;
        this.multicast = multicast;
        this.toRoot = toRoot;
        this.result = result;
        this.byMessages = byMessages;
    }

    @Override
    public CompletableFuture<Void> start() {
        if (begun == null) {
            begun = byMessages.get();
        }
        return begun.start();
    }

    @Override
    public void run() {
        long began = group.calls().begin();
        try {
            toRoot.run();
            if (group.self() == ROOT) {
                group.calls().multicast(result.byteSize());
            }
            broadcast();
        } finally {
            group.ended(began, kind, result.byteSize(), -1);
        }
    }

    private void broadcast() {
        over = false;
        boolean _ = group.endpoint().with(() -> group.enter(this));
        try {
            multicast.broadcast(result, ROOT);
        } catch (RankLostException lost) {
            boolean _ = group.awaitReport(() -> reported != null);
            MadcastException told = reported;
            throw told == null ? lost : told;
        } finally {
            over = true;
            boolean _ = group.endpoint().with(() -> group.end(this));
        }
    }

    /** On a thread of its own, since the endpoint's lock is held. */
    @Override
    public void fail(MadcastException why) {
        reported = why;
        Thread _ =
                Thread.startVirtualThread(() -> {
                    do {
                        multicast.abandon();
                    } while (!group.endpoint().await(() -> over, AGAIN_NS));
                });
    }
}

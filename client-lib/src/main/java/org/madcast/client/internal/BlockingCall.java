package org.madcast.client.internal;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Algorithm;
import org.madcast.client.collective.AlgorithmChoice;
import org.madcast.client.io.EngineLoop;
import org.madcast.client.protocol.BroadcastEngine;
import org.madcast.client.protocol.Failure;
import org.madcast.client.protocol.GroupState;

/**
 * The calls that a thread waits for, one after the other; this object serves them all. What a call
 * needs lies in its fields and not in lambdas: to make one of those that capture something is,
 * under the JVM's first compiler, a call into the JVM, and a rank that has slept until its message
 * came finds nothing of that in the processor's caches.
 *
 * <p><b>Threads.</b> One at a time calls, under the communicator's lock; {@link #run}, {@link
 * #getAsBoolean} and {@link #noteLost} are under the loop's.
 */
final class BlockingCall implements Runnable, BooleanSupplier {

    private static final int BARRIER = -1;
    private static final MemorySegment[] NO_PARTS = {};

    private final MessageGroup group;
    private final BroadcastEngine engine;
    private final EngineLoop loop;
    private final AlgorithmChoice choice;

    private MemorySegment message = MemorySegment.NULL;
    private int root = BARRIER;
    private @Nullable Algorithm named;
    private MemorySegment[] parts = NO_PARTS;
    private int kind;

    private Algorithm algorithm = Algorithm.ONCE;
    private long number;
    private @Nullable Failure failure;
    private long lostBefore;
    private long lostUntilNow;
    private long lost;
    private long afterDataNs;

    BlockingCall(
            MessageGroup group, BroadcastEngine engine, EngineLoop loop, AlgorithmChoice choice) {
        this.group = group;
        this.engine = engine;
        this.loop = loop;
        this.choice = choice;
    }

    /**
     * Broadcasts, unless the communicator has failed, and drives the engine until that has ended.
     *
     * @param wanted the algorithm that the call names, or null
     * @throws IOException when the sockets broke
     */
    void broadcast(MemorySegment buffer, int from, @Nullable Algorithm wanted) throws IOException {
        message = buffer;
        root = from;
        named = wanted;
        try {
            drive();
        } finally {
            message = MemorySegment.NULL; // the caller's again
        }
    }

    /**
     * The same of a part from each rank.
     *
     * @param ofKind of which operation they are parts
     */
    void exchange(MemorySegment[] ofRanks, int ofKind) throws IOException {
        parts = ofRanks;
        kind = ofKind;
        try {
            drive();
        } finally {
            parts = NO_PARTS;
        }
    }

    /** The same of a barrier. */
    void barrier() throws IOException {
        root = BARRIER;
        drive();
    }

    private void drive() throws IOException {
        boolean _ = loop.callAndAwait(this, this, Long.MAX_VALUE / 2);
    }

    /** Begins. */
    @Override
    public void run() {
        failure = engine.failure();
        lostBefore = lostUntilNow;
        if (failure != null) {
            return;
        }
        if (parts.length > 0) {
            number = callAll(parts, kind);
            return;
        }
        if (root == BARRIER) {
            number = callBarrier();
            return;
        }
        boolean multicastWorks = engine.groupState() == GroupState.MULTICAST;
        algorithm = choice.algorithm(named, message.byteSize(), multicastWorks);
        int code = choice.code(algorithm, named, message.byteSize());
        group.history().beginBroadcast(CallSignature.ofBroadcast(0, root, message.byteSize()));
        number = engine.call(System.nanoTime(), message, root, code);
    }

    /** Calls a barrier, under the loop's lock. */
    long callBarrier() {
        group.history().beginBroadcast(CallSignature.of(CallSignature.Operation.BARRIER, 0, 0));
        return engine.barrier(System.nanoTime());
    }

    /**
     * Calls the broadcast of each rank's part, under the loop's lock; an empty one is not sent.
     *
     * @return the number of the last one
     */
    long callAll(MemorySegment[] ofRanks, int ofKind) {
        boolean multicastWorks = engine.groupState() == GroupState.MULTICAST;
        long nowNs = System.nanoTime();
        long last = 0;
        for (int rank = 0; rank < ofRanks.length; rank++) {
            long bytes = ofRanks[rank].byteSize();
            if (bytes > 0) {
                int code = choice.code(choice.algorithm(null, bytes, multicastWorks), null, bytes);
                group.history().beginBroadcast(CallSignature.ofBroadcast(ofKind, rank, bytes));
                last = engine.callPart(nowNs, ofRanks[rank], rank, code, ofKind);
            }
        }
        return last;
    }

    /** Whether it has ended. */
    @Override
    public boolean getAsBoolean() {
        if (failure == null && engine.isPending(number)) {
            return false;
        }
        failure = engine.failure();
        noteLost();
        lost = lostUntilNow - lostBefore;
        afterDataNs = engine.lastAfterDataNs();
        return true;
    }

    /** What was lost until now belongs to a call that has ended. */
    void noteLost() {
        lostUntilNow = engine.fragmentsLost();
    }

    /** Why the last call did not do its work, or null. */
    @Nullable Failure failure() {
        return failure;
    }

    /** How the last broadcast travelled. */
    Algorithm algorithm() {
        return algorithm;
    }

    /** Fragments that had to be asked for since the call before the last one ended. */
    long lost() {
        return lost;
    }

    /** As {@link BroadcastEngine#lastAfterDataNs} at the end of the last call. */
    long afterDataNs() {
        return afterDataNs;
    }
}

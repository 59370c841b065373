package org.madcast.client.protocol;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.madcast.client.wire.Datagram;
import org.madcast.client.wire.DatagramLayout;

/** One call of a broadcast on this rank: what the caller named, and how far it has come. */
final class Call {

    /** In the number of an algorithm: the rank named none, the root's choice is as good. */
    static final int ANY_ALGORITHM = 0x10;

    /** In the number of an algorithm: from this bit on what serves when multicast does not. */
    static final int INSTEAD_SHIFT = 8;

    private static final int NO_ROOT = -1;

    /**
     * What a caller asks for.
     *
     * @param message its memory
     * @param algorithm a {@link WantedAlgorithm}
     * @param kind 0 for a broadcast, else the collective operation of which it is a part
     * @param notBeforeNs before this the root sends nothing of it
     */
    record Wanted(MemorySegment message, int root, int algorithm, int kind, long notBeforeNs) {
        static final Wanted BARRIER = new Wanted(MemorySegment.NULL, NO_ROOT, 0, 0, Long.MIN_VALUE);
    }

    final long broadcast;

    /** Its place in the stream: the sequence of the first fragment. */
    final long start;

    final int root;
    final int algorithm;

    final long startedNs;

    /** Before this the root sends nothing of it. */
    final long notBeforeNs;

    /** The call that begins when this one has ended; the {@link CallQueue}'s. */
    @Nullable Call next;

    private final MemorySegment message;
    private final int kind;

    /** Kind and length. */
    private final long what;

    private final MessageShape shape;
    private final int rank;
    private final int unicastAlgorithm;
    private final int anyAlgorithm;
    private final int instead;
    private final long fragments;
    private long nextFragment;

    /** On a receiver: how long after the first fragment came it called; negative when before. */
    long afterDataNs;

    Call(
            long broadcast,
            long start,
            EngineConfig config,
            MessageShape shape,
            Wanted wanted,
            long startedNs) {
        this.broadcast = broadcast;
        this.start = start;
        this.rank = config.rank();
        this.unicastAlgorithm = config.unicastAlgorithm();
        this.root = wanted.root;
        this.algorithm = wanted.algorithm & (ANY_ALGORITHM - 1);
        this.anyAlgorithm = wanted.algorithm & ANY_ALGORITHM;
        this.instead = wanted.algorithm >>> INSTEAD_SHIFT;
        this.message = wanted.message;
        this.kind = wanted.kind;
        this.what = DatagramLayout.message(kind, message.byteSize());
        this.notBeforeNs = wanted.notBeforeNs;
        this.shape = shape;
        this.startedNs = startedNs;
        this.fragments = shape.fragments(message.byteSize());
    }

    boolean isBarrier() {
        return root == NO_ROOT;
    }

    boolean isReceiver() {
        return rank != root && root != NO_ROOT;
    }

    boolean isRoot() {
        return rank == root;
    }

    boolean isComplete() {
        return nextFragment == fragments;
    }

    /** Whether the caller's memory is still there. */
    boolean hasMemory() {
        return message.scope().isAlive();
    }

    boolean hasBegun() {
        return nextFragment > 0;
    }

    long fragments() {
        return fragments;
    }

    /** On the root: how many have been made. */
    long fragmentsGiven() {
        return nextFragment;
    }

    long messageBytes() {
        return message.byteSize();
    }

    int nextDatagramBytes() {
        return DatagramLayout.HEADER_BYTES + shape.payloadBytes(message.byteSize(), nextFragment);
    }

    /** On the root: the sequence of the next fragment. */
    long nextSequence() {
        return start + nextFragment;
    }

    /** One past the sequence of the last fragment, or of the barrier's place. */
    long end() {
        return start + fragments;
    }

    /** On the root: writes the next fragment behind the header and moves on. */
    void giveNext(MemorySegment datagram, boolean ahead) {
        DatagramLayout.putMessage(datagram, broadcast, root, what);
        if (ahead) {
            DatagramLayout.putFragmentAhead(datagram, nextFragment);
        } else {
            DatagramLayout.putFragment(datagram, nextFragment);
        }
        long bytes = datagram.byteSize() - DatagramLayout.HEADER_BYTES;
        MemorySegment.copy(
                message, shape.offset(nextFragment), datagram, DatagramLayout.HEADER_BYTES, bytes);
        nextFragment++;
    }

    /** On a receiver: copies the fragment to its place in the caller's memory and moves on. */
    void takeNext(MemorySegment datagram) {
        long bytes = datagram.byteSize() - DatagramLayout.HEADER_BYTES;
        MemorySegment.copy(
                datagram, DatagramLayout.HEADER_BYTES, message, shape.offset(nextFragment), bytes);
        nextFragment++;
    }

    /** Writes what this rank called, so that another can compare. */
    void describe(MemorySegment datagram) {
        DatagramLayout.putMessage(datagram, broadcast, root, what);
        DatagramLayout.putFragment(datagram, algorithm | anyAlgorithm);
    }

    /** Compares with a fragment of the root's: what this rank named differs, or null. */
    @Nullable Failure compareWithFragment(MemorySegment fragment) {
        // Nearly always: three looks at the fragment instead of six.
        boolean expected =
                DatagramLayout.isOf(fragment, broadcast, nextFragment, root, what)
                        && DatagramLayout.algorithm(fragment) == algorithm;
        if (expected && !isBarrier()) {
            return null;
        }
        Failure mismatch = compare(fragment, DatagramLayout.algorithm(fragment), rank);
        long number = DatagramLayout.fragment(fragment);
        boolean due =
                number == nextFragment && DatagramLayout.broadcast(fragment) == (int) broadcast;
        return mismatch != null || due
                ? mismatch
                : new Failure(Failure.Kind.STREAM_FORGED, rank, broadcast, nextFragment, number);
    }

    /**
     * True for a fragment of this message at a place in the stream where it does not belong.
     *
     * @param ahead how far behind the next fragment of this call it lies in the stream
     */
    boolean misplaces(Datagram fragment, long ahead) {
        return fragment.broadcast() == (int) broadcast
                && fragment.fragment() != nextFragment + ahead;
    }

    /** Compares with what another rank, which waits in the same broadcast, described. */
    @Nullable Failure compareWithDescription(MemorySegment description) {
        if (DatagramLayout.broadcast(description) != (int) broadcast) {
            return null;
        }
        return compare(description, (int) DatagramLayout.fragment(description), rank);
    }

    /** Another rank broadcasts where this rank called a barrier. */
    Failure ofBarrier(MemorySegment other) {
        int otherRoot = DatagramLayout.root(other);
        return new Failure(Failure.Kind.OPERATION_MISMATCH, rank, broadcast, otherRoot, 0);
    }

    private @Nullable Failure compare(MemorySegment other, int otherAlgorithm, int self) {
        int otherRoot = DatagramLayout.root(other);
        long otherBytes = DatagramLayout.messageBytes(other);
        if (isBarrier()) {
            return ofBarrier(other);
        }
        int otherKind = DatagramLayout.kind(other);
        if (otherKind != kind) {
            return new Failure(Failure.Kind.CALL_MISMATCH, self, broadcast, otherKind, kind);
        }
        if (otherRoot != root) {
            return new Failure(Failure.Kind.ROOT_MISMATCH, self, broadcast, otherRoot, root);
        }
        if (otherBytes != messageBytes()) {
            return new Failure(
                    Failure.Kind.SIZE_MISMATCH, self, broadcast, otherBytes, messageBytes());
        }
        // A rank that has heard first that multicast died calls, or sends, the other way already.
        boolean fellBack =
                otherAlgorithm == unicastAlgorithm
                        || algorithm == unicastAlgorithm
                        || otherAlgorithm == instead;
        boolean any = ((anyAlgorithm | otherAlgorithm) & ANY_ALGORITHM) != 0;
        if (otherAlgorithm != algorithm && !fellBack && !any) {
            return new Failure(
                    Failure.Kind.ALGORITHM_MISMATCH, self, broadcast, otherAlgorithm, algorithm);
        }
        return null;
    }
}

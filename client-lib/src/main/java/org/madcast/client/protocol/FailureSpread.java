package org.madcast.client.protocol;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.madcast.client.wire.DatagramLayout;
import org.madcast.client.wire.DatagramType;

/**
 * The first failure that this rank notices or hears of, and its spreading: to the group by the rank
 * that noticed it, and along the tree by every rank, a few times. A rank that heard nothing then
 * and goes on as if all were well is notified again by each rank that hears a datagram of its.
 */
final class FailureSpread {

    private static final int TIMES = 4;

    /** A rank that leaves need not wait for the last time, which comes long after the others. */
    private static final int TIMES_BEFORE_LEAVING = 3;

    private static final long PAUSE_NS = 5_000_000;
    private static final int PAYLOAD_INTS = 6;

    /** From one answer to the next, whoever they are for: of any number of ranks that ask. */
    private static final long ANSWER_PAUSE_NS = 20_000_000;

    private final ProgressTree tree;
    private final ControlQueue control;
    private @Nullable Failure failure;
    private boolean noticedHere;
    private int spread;
    private long dueNs = ProtocolEngine.NO_DEADLINE;
    private long answerNs = Long.MIN_VALUE;

    /** The neighbours that have notified this rank of a failure, and need no notice. */
    private final boolean[] aware;

    FailureSpread(ProgressTree tree, ControlQueue control) {
        this.tree = tree;
        this.control = control;
        aware = new boolean[tree.place.childCount() + 1];
    }

    @Nullable Failure failure() {
        return failure;
    }

    long nextDueNs() {
        return dueNs;
    }

    void notice(long nowNs, Failure noticed) {
        if (failure == null) {
            failure = noticed;
            noticedHere = true;
            dueNs = nowNs;
        }
    }

    /** A rank reports a failure; false when it names none of the {@code size} ranks. */
    boolean hear(long nowNs, MemorySegment datagram, int size) {
        int rank = DatagramLayout.payloadInt(datagram, 1) & 0xffff;
        if (rank >= size) {
            return false;
        }
        int neighbour = neighbour(DatagramLayout.sender(datagram));
        if (neighbour >= 0) {
            aware[neighbour] = true;
        }
        if (failure == null) {
            failure =
                    new Failure(
                            Failure.Kind.of(DatagramLayout.payloadInt(datagram, 0)),
                            rank,
                            DatagramLayout.broadcast(datagram) & 0xffff_ffffL,
                            longAt(datagram, 2),
                            longAt(datagram, 4));
            dueNs = nowNs;
        }
        return true;
    }

    /** A rank asks: it may have missed the failure. */
    void answer(long nowNs, int sender) {
        if (failure != null && nowNs >= answerNs) {
            write(failure, sender);
            answerNs = nowNs + ANSWER_PAUSE_NS;
        }
    }

    /** A rank gives a sign of life; to all that hear it by the group it is not worth an answer. */
    void answerNeighbour(long nowNs, int sender) {
        int neighbour = neighbour(sender);
        if (neighbour >= 0 && !aware[neighbour]) {
            answer(nowNs, sender);
        }
    }

    private int neighbour(int sender) {
        return sender == tree.place.parent()
                ? tree.place.childCount()
                : tree.place.childIndex(sender);
    }

    static boolean isWellFormed(MemorySegment datagram) {
        return datagram.byteSize() == DatagramLayout.HEADER_BYTES + 4L * PAYLOAD_INTS;
    }

    void onTimeout(long nowNs) {
        if (failure == null || nowNs < dueNs) {
            return;
        }
        if (noticedHere && tree.probe.maybeWorks()) {
            write(failure, TransmitSlot.GROUP);
        }
        if (tree.place.parent() >= 0) {
            write(failure, tree.place.parent());
        }
        for (int i = 0; i < tree.place.childCount(); i++) {
            write(failure, tree.place.child(i));
        }
        spread++;
        dueNs = spread == TIMES ? ProtocolEngine.NO_DEADLINE : nowNs + (PAUSE_NS << (2 * spread));
    }

    /** True when all have been notified often enough for this rank to leave. */
    boolean isSpread() {
        return spread >= TIMES_BEFORE_LEAVING;
    }

    private void write(Failure told, int destination) {
        MemorySegment out = control.add(DatagramType.FAILURE, destination, 0, PAYLOAD_INTS);
        DatagramLayout.putMessage(out, told.broadcast(), 0, 0);
        DatagramLayout.putPayloadInt(out, 0, told.kind().code());
        DatagramLayout.putPayloadInt(out, 1, told.rank());
        putLong(out, 2, told.expected());
        putLong(out, 4, told.actual());
    }

    private static void putLong(MemorySegment out, int index, long value) {
        DatagramLayout.putPayloadInt(out, index, (int) (value >>> 32));
        DatagramLayout.putPayloadInt(out, index + 1, (int) value);
    }

    private static long longAt(MemorySegment datagram, int index) {
        long high = DatagramLayout.payloadInt(datagram, index);
        long low = DatagramLayout.payloadInt(datagram, index + 1) & 0xffff_ffffL;
        return (high << 32) | low;
    }
}

package org.madcast.client.protocol;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.madcast.client.wire.DatagramLayout;
import org.madcast.client.wire.DatagramType;
import org.madcast.client.wire.Rejection;

/**
 * Takes all ranks to another group. Rank 0 begins; REGROUP goes down the tree until each child's
 * PROGRESS carries the move's number; the tree then probes the new group as it did the first one.
 * Moves are numbered from 1; the number of no move is 0. PROGRESS and WATERMARK carry its low 8
 * bits, and what they say about the group counts only when they are one's own.
 *
 * <p>The driver takes {@link #takeTarget}, joins there, and says {@link #joined}; until then
 * nothing is sent to the group. Why there is no moment at which all must switch together:
 * docs/decisions/0015-moving-to-another-group.md.
 *
 * <p>Worked example for 5 ranks: rank 0 begins move 1 and sends REGROUP to ranks 1 to 4. Rank 3
 * loses it, reports PROGRESS with number 0, and gets it again. Ranks 1, 2 and 4 hear rank 0's
 * WATERMARK in the new group and report that; rank 3 does so 20 ms later, and multicast serves.
 */
final class GroupMove {

    static final long RESEND_NS = 20_000_000;

    private static final int NUMBER_BITS = 0xff;

    /** No rank misses more moves than this; as many can be distinguished by the low bits alone. */
    private static final int FARTHEST = Byte.MAX_VALUE;

    private static final int PAYLOAD_INTS = 1 + GroupAddress.PAYLOAD_INTS;
    private static final int PAYLOAD_BYTES = 4 * PAYLOAD_INTS;

    private final ProgressTree tree;
    private final ControlQueue control;
    private final int[] childNumbers;
    private int addressBytes;
    private int number;

    /** The highest number that a rank of this subtree has without having got it from here. */
    private int strayed;

    private @Nullable GroupAddress group;
    private @Nullable GroupAddress target;
    private boolean joined = true;
    private long resendDueNs = ProtocolEngine.NO_DEADLINE;

    GroupMove(ProgressTree tree, ControlQueue control) {
        this.tree = tree;
        this.control = control;
        this.childNumbers = new int[tree.place.childCount()];
    }

    /** Only groups with addresses of this many bytes can be joined; unless set, all can. */
    void restrict(int onlyAddressBytes) {
        addressBytes = onlyAddressBytes;
    }

    private boolean isJoinable(GroupAddress to) {
        return addressBytes == 0 || to.addressBytes() == addressBytes;
    }

    /** Begins on rank 0. */
    void begin(long nowNs, GroupAddress to) {
        adopt(nowNs, Math.max(number, strayed) + 1, to);
    }

    /** Whether a rank follows a move that no rank began: only a new move brings it back. */
    boolean hasStrayed() {
        return strayed > number;
    }

    /** A REGROUP arrived; the reason to reject it, or null. */
    @Nullable Rejection on(long nowNs, MemorySegment datagram) {
        if (datagram.byteSize() != DatagramLayout.HEADER_BYTES + PAYLOAD_BYTES) {
            return Rejection.BAD_LENGTH;
        }
        int theirs = DatagramLayout.payloadInt(datagram, 0);
        GroupAddress to = GroupAddress.read(datagram, 1);
        if (to == null
                || !isJoinable(to)
                || theirs < 1
                || theirs - number > FARTHEST
                || DatagramLayout.sender(datagram) != tree.place.parent()) {
            return Rejection.BAD_FIELD;
        }
        if (theirs > number) {
            adopt(nowNs, theirs, to);
        }
        return null;
    }

    private void adopt(long nowNs, int newNumber, GroupAddress to) {
        number = newNumber;
        group = to;
        target = to;
        joined = false;
        resendDueNs = childNumbers.length > 0 ? nowNs : ProtocolEngine.NO_DEADLINE;
        tree.probeAgain(nowNs);
    }

    /**
     * A child's PROGRESS carried these bits. A number above this rank's own can only come from a
     * forged REGROUP: it is reported up to rank 0, which moves all ranks beyond it.
     */
    void onChild(long nowNs, int index, int bits) {
        childNumbers[index] = bits;
        int ahead = (byte) (bits - number);
        if (ahead > 0) {
            strayed = Math.max(strayed, number + ahead);
        } else if (ahead < 0 && group != null) {
            resendDueNs = Math.min(resendDueNs, nowNs + RESEND_NS);
        }
    }

    /** The bits of this rank's number, for WATERMARK. */
    int bits() {
        return number & NUMBER_BITS;
    }

    /** The bits for PROGRESS: of the number of a rank that has strayed, else of this rank's. */
    int reportedBits() {
        return Math.max(number, strayed) & NUMBER_BITS;
    }

    /** Whether a verdict on the new group is awaited. */
    boolean isUnderWay() {
        return number > 0 && tree.probe.state() == GroupState.PROBING;
    }

    /** Whether the driver is in the group, so that something may be sent to it. */
    boolean hasJoined() {
        return joined;
    }

    /** The group of the last move, null before the first. */
    @Nullable GroupAddress group() {
        return group;
    }

    /** Where the driver is to join, once; null when it has. */
    @Nullable GroupAddress takeTarget() {
        GroupAddress wanted = target;
        target = null;
        return wanted;
    }

    /** The driver has joined the last group that it was given. */
    void joined(long nowNs) {
        joined = true;
        tree.report(nowNs);
    }

    /** Queues what is due. */
    void send(long nowNs) {
        GroupAddress to = group;
        if (to == null || nowNs < resendDueNs) {
            return;
        }
        resendDueNs = ProtocolEngine.NO_DEADLINE;
        for (int i = 0; i < childNumbers.length; i++) {
            if (childNumbers[i] == bits() || tree.place.hasLeft(i)) {
                continue;
            }
            MemorySegment out =
                    control.add(DatagramType.REGROUP, tree.place.child(i), 0, PAYLOAD_INTS);
            DatagramLayout.putPayloadInt(out, 0, number);
            to.write(out, 1);
            resendDueNs = nowNs + RESEND_NS;
        }
    }

    long nextDueNs() {
        return resendDueNs;
    }
}

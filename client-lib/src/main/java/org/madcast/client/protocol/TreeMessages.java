package org.madcast.client.protocol;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.madcast.client.wire.DatagramLayout;
import org.madcast.client.wire.DatagramType;
import org.madcast.client.wire.Rejection;

/** The datagrams of the {@link ProgressTree}: PROGRESS goes up, WATERMARK to the group and down. */
final class TreeMessages {

    private static final int SUBTREE_HEARD = 1;
    private static final int UNDECIDED = 2;
    private static final int LOST_GROUP = 4;
    private static final int BY_GROUP = 1;
    private static final int STATE_BITS = 0xff;
    private static final int MOVE_SHIFT = 8;
    private static final int LOSS_SHIFT = 16;
    private static final int LOSS_BITS = 0xff;

    private final int rank;
    private final ProgressTree tree;
    private final ControlQueue control;
    private final GroupMove move;
    private final LossAggregator loss;

    TreeMessages(
            EngineConfig config,
            ProgressTree tree,
            ControlQueue control,
            GroupMove move,
            LossAggregator loss) {
        this.rank = config.rank();
        this.tree = tree;
        this.control = control;
        this.move = move;
        this.loss = loss;
    }

    /**
     * A report came.
     *
     * @param latest whether it is its sender's latest; of an older one, which may be a recording,
     *     the positions count
     * @return the reason to refuse it, or null
     */
    @Nullable Rejection on(long nowNs, MemorySegment datagram, long sequence, boolean latest) {
        int sender = DatagramLayout.sender(datagram);
        int flag = (int) DatagramLayout.fragment(datagram);
        boolean sameGroup = (flag >>> MOVE_SHIFT & 0xff) == move.bits();
        if (DatagramLayout.type(datagram) == DatagramType.PROGRESS) {
            int child = tree.place.childIndex(sender);
            if (child < 0) {
                return Rejection.BAD_FIELD;
            }
            if (latest) {
                move.onChild(nowNs, child, flag >>> MOVE_SHIFT & 0xff);
                loss.onChild(child, flag >>> LOSS_SHIFT & LOSS_BITS);
            }
            tree.onProgress(nowNs, sender, sequence, sameGroup && (flag & SUBTREE_HEARD) != 0);
            if (sameGroup && (flag & UNDECIDED) != 0) {
                tree.onUndecidedChild();
            }
            if (sameGroup && (flag & LOST_GROUP) != 0) {
                tree.lostGroup(nowNs);
            }
            return null;
        }
        boolean ofParent = sender == tree.place.parent();
        if (rank == 0 || (sender != 0 && !ofParent)) {
            return Rejection.BAD_FIELD;
        }
        boolean byGroup = DatagramLayout.root(datagram) == BY_GROUP;
        if (sameGroup && sender == 0 && byGroup) {
            tree.heardGroup(nowNs);
        }
        if (latest) {
            loss.onAnnounced(flag >>> LOSS_SHIFT & LOSS_BITS);
        }
        GroupState state = sameGroup ? GroupState.of(flag & STATE_BITS) : GroupState.PROBING;
        tree.onWatermark(nowNs, sequence, state, ofParent && !byGroup);
        return null;
    }

    /** Queues what is due. */
    void send(long nowNs) {
        boolean heartbeat = tree.life.takeHeartbeat(nowNs);
        boolean report = tree.takeReport(nowNs);
        boolean byGroup = tree.probe.state() != GroupState.UNICAST && move.hasJoined();
        boolean alsoDown = !byGroup || move.isUnderWay();
        if (rank == 0 && report && byGroup) {
            sendWatermark(TransmitSlot.GROUP);
        } else if (rank != 0 && (report || heartbeat)) {
            sendProgress();
        }
        if (tree.takeAnnounceDown() || heartbeat || (rank == 0 && report && alsoDown)) {
            for (int i = 0; i < tree.place.childCount(); i++) {
                sendWatermark(tree.place.child(i));
            }
        }
    }

    private void sendProgress() {
        MemorySegment out =
                control.add(DatagramType.PROGRESS, tree.place.parent(), tree.reported(), 0);
        int undecided = tree.probe.state() == GroupState.PROBING ? UNDECIDED : 0;
        int heard = tree.probe.subtreeHeard() ? SUBTREE_HEARD : 0;
        int lost = tree.probe.hasLost() ? LOST_GROUP : 0;
        int numbers = move.reportedBits() << MOVE_SHIFT | loss.ofSubtree() << LOSS_SHIFT;
        DatagramLayout.putFragment(out, undecided | heard | lost | numbers);
    }

    private void sendWatermark(int destination) {
        MemorySegment out = control.add(DatagramType.WATERMARK, destination, tree.watermark(), 0);
        int numbers = move.bits() << MOVE_SHIFT | loss.ofAll() << LOSS_SHIFT;
        DatagramLayout.putFragment(out, tree.probe.state().code() | numbers);
        DatagramLayout.putMessage(out, 0, destination == TransmitSlot.GROUP ? BY_GROUP : 0, 0);
    }
}

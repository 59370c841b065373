package org.madcast.client.protocol;

import java.lang.foreign.MemorySegment;
import org.madcast.client.wire.DatagramLayout;
import org.madcast.client.wire.DatagramType;

/** The datagrams of the {@link ProgressTree}: PROGRESS goes up, WATERMARK to the group and down. */
final class TreeMessages {

    private static final int SUBTREE_HEARD = 1;
    private static final int UNDECIDED = 2;
    private static final int LOST_GROUP = 4;
    private static final int BY_GROUP = 1;

    private final int rank;
    private final ProgressTree tree;
    private final ControlQueue control;

    TreeMessages(EngineConfig config, ProgressTree tree, ControlQueue control) {
        this.rank = config.rank();
        this.tree = tree;
        this.control = control;
    }

    void on(long nowNs, MemorySegment datagram, long sequence) {
        int sender = DatagramLayout.sender(datagram);
        int flag = (int) DatagramLayout.fragment(datagram);
        if (DatagramLayout.type(datagram) == DatagramType.PROGRESS) {
            tree.onProgress(nowNs, sender, sequence, (flag & SUBTREE_HEARD) != 0);
            if ((flag & UNDECIDED) != 0) {
                tree.onUndecidedChild();
            }
            if ((flag & LOST_GROUP) != 0) {
                tree.lostGroup(nowNs);
            }
            return;
        }
        if (sender == 0 && DatagramLayout.root(datagram) == BY_GROUP) {
            tree.heardGroup(nowNs);
        }
        tree.onWatermark(nowNs, sequence, GroupState.of(flag));
    }

    /** Queues what is due. */
    void send(long nowNs) {
        boolean heartbeat = tree.takeHeartbeat(nowNs);
        boolean report = tree.takeReport(nowNs);
        boolean byGroup = tree.groupState() != GroupState.UNICAST;
        if (rank == 0 && report && byGroup) {
            sendWatermark(TransmitSlot.GROUP);
        } else if (rank != 0 && (report || heartbeat)) {
            sendProgress();
        }
        if (tree.takeAnnounceDown() || heartbeat || (rank == 0 && report && !byGroup)) {
            for (int i = 0; i < tree.childCount(); i++) {
                sendWatermark(tree.child(i));
            }
        }
    }

    private void sendProgress() {
        MemorySegment out = control.add(DatagramType.PROGRESS, tree.parent(), tree.reported(), 0);
        int undecided = tree.groupState() == GroupState.PROBING ? UNDECIDED : 0;
        int heard = tree.subtreeHeard() ? SUBTREE_HEARD : 0;
        int lost = tree.hasLostGroup() ? LOST_GROUP : 0;
        DatagramLayout.putFragment(out, undecided | heard | lost);
    }

    private void sendWatermark(int destination) {
        MemorySegment out = control.add(DatagramType.WATERMARK, destination, tree.watermark(), 0);
        DatagramLayout.putFragment(out, tree.groupState().code());
        DatagramLayout.putMessage(out, 0, destination == TransmitSlot.GROUP ? BY_GROUP : 0, 0);
    }
}

package org.madcast.simulator;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Queue;
import org.madcast.client.message.VirtualEndpoint;
import org.madcast.netsim.SimulatedNode;
import org.madcast.netsim.TransmitSlot;

/**
 * The messages of a rank on its host. Each connection is a stream of full segments; those to
 * several ranks take turns, as TCP's do. A network that drops nothing stands for TCP's repairs.
 */
final class MessageNode implements SimulatedNode {

    /** With the headers of UDP, which the network adds, as long as those of TCP. */
    private static final int HEAD_BYTES = 24;

    private static final int SEGMENT_BYTES = JobSettings.DATAGRAM_BYTES - HEAD_BYTES;

    private final int rank;
    private final VirtualEndpoint endpoint;
    private final Queue<Integer> turns = new ArrayDeque<>();
    private final BitSet waiting = new BitSet();

    MessageNode(int rank, int ranks) {
        this.rank = rank;
        endpoint = new VirtualEndpoint(ranks, this::awaitTurn);
    }

    VirtualEndpoint endpoint() {
        return endpoint;
    }

    private void awaitTurn(int peer) {
        if (!waiting.get(peer)) {
            waiting.set(peer);
            turns.add(peer);
        }
    }

    @Override
    public void onDatagram(long nowNs, MemorySegment datagram) {
        int from = datagram.get(ValueLayout.JAVA_INT_UNALIGNED, 0);
        endpoint.take(from, datagram.asSlice(HEAD_BYTES).asByteBuffer());
    }

    @Override
    public int pollTransmit(long nowNs, MemorySegment out, TransmitSlot slot) {
        Integer peer = turns.poll();
        if (peer == null) {
            return 0;
        }
        waiting.clear(peer);
        out.set(ValueLayout.JAVA_INT_UNALIGNED, 0, rank);
        ByteBuffer segment = out.asSlice(HEAD_BYTES, SEGMENT_BYTES).asByteBuffer();
        if (endpoint.fill(peer, segment)) {
            awaitTurn(peer);
        }
        slot.to(peer);
        return HEAD_BYTES + segment.position();
    }
}

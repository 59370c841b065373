package org.madcast.simulator;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.madcast.client.DurationDistribution;
import org.madcast.netsim.RunResult;
import org.madcast.netsim.SimulatedNode;
import org.madcast.netsim.Simulation;
import org.madcast.netsim.TransmitSlot;

/**
 * The same bytes as bare multicast datagrams, without any reliability, headers or answers: the
 * floor that {@code madcast bench} measures.
 */
public final class BareNetwork {

    private static final int LEAST_BYTES = 4;
    private static final long LIMIT_NS = 24L * 3600 * 1_000_000_000;

    private BareNetwork() {}

    /** Sends a message from rank 0 to all others, which may lose some of it. */
    public static Outcome send(JobSettings settings, int sizeBytes) {
        int bytes = Math.max(LEAST_BYTES, sizeBytes);
        List<Node> nodes = new ArrayList<>();
        for (int rank = 0; rank < settings.ranks(); rank++) {
            nodes.add(new Node(rank == 0 ? bytes : 0));
        }
        Simulation simulation = SimulatedHosts.of(settings, nodes);
        RunResult _ = simulation.run(LIMIT_NS);
        long overheadNs = 2 * settings.costs().overheadNs();
        long lastNs = 0;
        long earliestNs = Long.MAX_VALUE;
        double sumNs = 0;
        boolean complete = true;
        for (Node receiver : nodes.subList(1, nodes.size())) {
            long tookNs = receiver.lastNs + overheadNs;
            lastNs = Math.max(lastNs, tookNs);
            earliestNs = Math.min(earliestNs, tookNs);
            sumNs += tookNs;
            complete &= receiver.receivedBytes == bytes;
        }
        return new Outcome(
                Math.min(earliestNs, lastNs),
                lastNs,
                sumNs / Math.max(1, nodes.size() - 1),
                lastNs - Math.min(earliestNs, lastNs),
                simulation.counters(0).sentWireBytes(),
                0,
                DurationDistribution.EMPTY,
                0,
                complete);
    }

    /** Sends what it has to send as fast as it can, and counts what it gets. */
    private static final class Node implements SimulatedNode {
        private int unsentBytes;
        private long receivedBytes;
        private long lastNs;

        Node(int unsentBytes) {
            this.unsentBytes = unsentBytes;
        }

        @Override
        public void onDatagram(long nowNs, MemorySegment datagram) {
            receivedBytes += datagram.byteSize();
            lastNs = nowNs;
        }

        @Override
        public int pollTransmit(long nowNs, MemorySegment out, TransmitSlot slot) {
            int bytes = Math.min(unsentBytes, JobSettings.DATAGRAM_BYTES);
            unsentBytes -= bytes;
            if (bytes > 0) {
                slot.toGroup();
            }
            return bytes;
        }
    }
}

package org.madcast.client.protocol;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.madcast.client.Algorithm;
import org.madcast.client.protocol.SimulatedJob.Shape;
import org.madcast.client.protocol.SimulatedJob.Step;
import org.madcast.client.wire.DatagramLayout;
import org.madcast.client.wire.DatagramType;
import org.madcast.netsim.Fault;
import org.madcast.netsim.FaultPlan;
import org.madcast.netsim.Faults;

/** What broadcasts cost and how long they take, on 100 Mbit/s links. */
class BroadcastBehaviourTest {

    private static final long LIMIT_NS = 60_000_000_000L;
    private static final int MIB = 1 << 20;
    private static final int PAYLOAD_BYTES = 1472 - DatagramLayout.HEADER_BYTES;

    /** Preamble, frame, IP, UDP and the datagram, on the wire. */
    private static final long NS_PER_DATAGRAM = 1538L * 8 * 10;

    private static SimulatedJob run(int size, int bytes, FaultPlan faults, Shape shape) {
        List<Step> script = List.of(new Step(0, bytes, Algorithm.ONCE));
        return new SimulatedJob(size, script, faults, 1, shape).run(LIMIT_NS).assertAllComplete();
    }

    private static long fragments(int bytes) {
        return (bytes + PAYLOAD_BYTES - 1L) / PAYLOAD_BYTES;
    }

    /** Loses the first transmission of the chosen fragments, for all receivers. */
    private static Fault uplinkLossOfEvery(int nth) {
        Set<Integer> seen = new HashSet<>();
        return Faults.drop(
                        (from, to, datagram, count) -> {
                            boolean data = DatagramLayout.type(datagram) == DatagramType.DATA;
                            int sequence = DatagramLayout.sequence(datagram);
                            return data && sequence % nth == 0 && seen.add(sequence);
                        })
                .onUplink()
                .onNode(0);
    }

    private static long repairsSent(SimulatedJob job) {
        long sum = 0;
        for (int rank = 0; rank < job.size(); rank++) {
            sum += job.engine(rank).counters().repairsSent();
        }
        return sum;
    }

    private static void report(String what, SimulatedJob job) {
        long repairs = repairsSent(job);
        System.out.printf(
                "REPORT %s: ranks %d, time %.3f ms, root sent %d (multicast %d, IP bytes %d), repairs %d (root %d), busiest %d%n",
                what,
                job.size(),
                job.lastCompletionNs() / 1e6,
                job.simulation().counters(0).sentDatagrams(),
                job.simulation().counters(0).sentMulticastDatagrams(),
                job.simulation().counters(0).sentBytes()
                        + 28 * job.simulation().counters(0).sentDatagrams(),
                repairs,
                job.engine(0).counters().repairsSent(),
                busiest(job));
    }

    private static long busiest(SimulatedJob job) {
        long most = 0;
        for (int rank = 0; rank < job.size(); rank++) {
            most =
                    Math.max(
                            most,
                            job.simulation().counters(rank).sentDatagrams()
                                    + job.simulation().counters(rank).receivedDatagrams());
        }
        return most;
    }

    @Test
    void explore() {
        for (int nth : new int[] {1, 2, 10}) {
            for (int size : new int[] {8, 16, 64}) {
                for (int bytes : new int[] {16, 50_000, 300_000}) {
                    report(
                            "uplink loss of every "
                                    + nth
                                    + " bytes "
                                    + bytes
                                    + " fragments "
                                    + fragments(bytes),
                            run(
                                    size,
                                    bytes,
                                    FaultPlan.of(uplinkLossOfEvery(nth)),
                                    Shape.fastEthernet()));
                }
            }
        }
        report("lossless", run(16, MIB, FaultPlan.NONE, Shape.fastEthernet()));
        System.out.println("REPORT serialisation " + fragments(MIB) * NS_PER_DATAGRAM / 1e6);
        for (int size : new int[] {4, 16, 64, 342}) {
            report(
                    "scale 256k",
                    run(size, 1 << 18, FaultPlan.NONE, Shape.fastEthernet().withWindow(64)));
        }
    }
}

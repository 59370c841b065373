package org.madcast.client.protocol;

import java.util.List;
import org.madcast.client.Algorithm;
import org.madcast.client.protocol.SimulatedJob.Shape;
import org.madcast.client.protocol.SimulatedJob.Step;
import org.madcast.netsim.Fault;
import org.madcast.netsim.FaultPlan;

/**
 * One broadcast by rank 0 in a job that has joined long before, so that what is counted and timed
 * is the broadcast, and how a job of one broadcast comes and goes.
 */
final class QuietJob {

    /** When every rank calls: the verdict on multicast has long been spoken. */
    static final long CALL_NS = 200_000_000;

    private static final long LIMIT_NS = 60_000_000_000L;

    private QuietJob() {}

    static Shape shape() {
        return Shape.fastEthernet().joined().thinking(rank -> CALL_NS);
    }

    /** Runs it to the end; every rank must have got every byte. */
    static SimulatedJob run(int ranks, int bytes, Shape shape, long seed, Fault... faults) {
        return run(ranks, List.of(new Step(0, bytes, Algorithm.ONCE)), shape, seed, faults);
    }

    static SimulatedJob run(int ranks, List<Step> script, Shape shape, long seed, Fault... faults) {
        return new SimulatedJob(ranks, script, FaultPlan.of(faults), seed, shape)
                .run(LIMIT_NS)
                .assertAllComplete();
    }

    static SimulatedJob run(int ranks, int bytes, Fault... faults) {
        return run(ranks, bytes, shape(), 1, faults);
    }

    /** From the call to the completion on the last rank. */
    static long tookNs(SimulatedJob job) {
        return job.lastCompletionNs() - CALL_NS;
    }
}

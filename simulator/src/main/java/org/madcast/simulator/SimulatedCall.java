package org.madcast.simulator;

import org.madcast.client.CollectiveOperation;

/**
 * Collective operations other than broadcasts, one at a time. Those by messages need a network that
 * drops nothing, since TCP's repairs are not simulated.
 */
public final class SimulatedCall {

    private SimulatedCall() {}

    /**
     * Carries out an operation once.
     *
     * @param settings without loss, and with queues that hold everything
     * @param bytes the size of a rank's part, or vector; means nothing for a barrier
     * @throws SimulationFailure when a call does not end, or the parts are too long
     */
    public static Outcome run(JobSettings settings, SimulatedWay way, int bytes) {
        if (settings.lossPercent() > 0) {
            throw new IllegalArgumentException("messages are simulated without loss");
        }
        if (!way.isMulticast()) {
            return SimulatedCollective.run(settings, way, bytes);
        }
        try (SimulatedJob job = new SimulatedJob(settings)) {
            if (way.operation() == CollectiveOperation.BARRIER) {
                return job.barrier();
            }
            Outcome outcome = job.allgather(bytes);
            long combined =
                    way.operation() == CollectiveOperation.ALLREDUCE
                            ? (long) (settings.ranks() - 1) * bytes
                            : 0;
            return outcome.after(Math.round(combined * ProcessorCosts.COMBINE_NS_PER_BYTE));
        }
    }
}

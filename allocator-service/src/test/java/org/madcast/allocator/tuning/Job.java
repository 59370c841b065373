package org.madcast.allocator.tuning;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;

/**
 * Plays a trace: a receiver that calls before the data comes waits for it; one that calls later has
 * lost it and is repaired, unless it buffers. Costs what all ranks spend in their calls.
 */
final class Job {

    private static final int OBSERVED = 20;
    private static final long WIRE_NS = 1_000_000;

    private final Trace trace;
    private final Network network;
    private final Random random;
    private int broadcast;

    /**
     * What receivers lose.
     *
     * @param repairNs what being late costs; 0 where they buffer
     * @param lossShare which share of all calls loses something on the way, late or not
     * @param lossNs what that costs
     */
    record Network(long repairNs, double lossShare, long lossNs) {}

    Job(Trace trace, Network network, long seed) {
        this.trace = trace;
        this.network = network;
        this.random = new Random(seed);
    }

    /** Plays with one delay for all; the cost in nanoseconds. */
    static double fixed(Trace trace, long repairNs, int broadcasts, long delayNs) {
        return fixed(trace, new Network(repairNs, 0, 0), broadcasts, delayNs);
    }

    static double fixed(Trace trace, Network network, int broadcasts, long delayNs) {
        return new Job(trace, network, 1).play(broadcasts, () -> delayNs, null);
    }

    /** Plays with the tuner; the cost in nanoseconds. */
    static double tuned(Trace trace, long repairNs, int broadcasts) {
        return tuned(trace, new Network(repairNs, 0, 0), broadcasts);
    }

    static double tuned(Trace trace, Network network, int broadcasts) {
        Tuned tuned = new Tuned();
        return new Job(trace, network, 1).play(broadcasts, () -> tuned.state.delayNs(), tuned);
    }

    /** The delay that is advised at the trace's end. */
    static TunerState tunedState(Trace trace, long repairNs, int broadcasts) {
        Tuned tuned = new Tuned();
        new Job(trace, new Network(repairNs, 0, 0), 1)
                .play(broadcasts, () -> tuned.state.delayNs(), tuned);
        return tuned.state;
    }

    /** The tuner of one site. */
    static final class Tuned {
        private final RootDelayTuner tuner = new RootDelayTuner(50 * Trace.MS);
        private TunerState state = TunerState.INITIAL;
        private TunerState inForce = TunerState.INITIAL;

        long delayNs() {
            return inForce.delayNs();
        }

        /** Advice reaches the root one observation after it was given, as with real reports. */
        void observe(Observation seen) {
            inForce = state;
            state = tuner.next(state, seen);
        }
    }

    double play(
            int broadcasts, LongSupplier delayNs, @org.jspecify.annotations.Nullable Tuned tuned) {
        double cost = 0;
        while (broadcast < broadcasts) {
            List<Observation.Arrival> arrivals = new ArrayList<>();
            long[] sums = new long[2];
            double window = 0;
            long waited = 0;
            for (int i = 0; i < OBSERVED; i++) {
                long delay = tuned == null ? delayNs.getAsLong() : tuned.delayNs();
                window += once(delay, arrivals, sums);
                waited += delay;
            }
            long calls = OBSERVED * (Trace.RECEIVERS + 1L);
            if (tuned != null) {
                tuned.observe(
                        new Observation(arrivals, sums[0], sums[1], calls, (long) window - waited));
            }
            cost += window;
        }
        return cost;
    }

    private double once(long delayNs, List<Observation.Arrival> arrivals, long[] sums) {
        double cost = delayNs + WIRE_NS;
        for (long arrival : trace.arrivals(broadcast, random)) {
            boolean late = arrival > delayNs;
            boolean missed = late && network.repairNs() > 0;
            boolean lost = network.lossShare() > 0 && random.nextDouble() < network.lossShare();
            double waitNs = late ? 0 : delayNs - arrival;
            double call = waitNs + (late ? 0 : WIRE_NS);
            call += missed ? WIRE_NS + network.repairNs() : 0;
            call += lost ? network.lossNs() : 0;
            cost += call;
            arrivals.add(new Observation.Arrival(arrival - delayNs, 1));
            if (missed || lost) {
                sums[late ? 0 : 1] += (long) (call - waitNs);
            }
        }
        broadcast++;
        return cost;
    }
}

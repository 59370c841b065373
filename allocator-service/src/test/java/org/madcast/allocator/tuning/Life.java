package org.madcast.allocator.tuning;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A site's whole life in a world, once as the tuner advises and once with one delay throughout;
 * both meet the same chances. Kept is the time that all ranks spent in their calls, the root's wait
 * included, up to each observation.
 */
final class Life {

    static final int BROADCASTS = 20;
    private static final long WIRE_NS = World.MS;

    private final World world;
    private final long seed;
    private final List<Double> spentNs = new ArrayList<>();
    private final List<Long> delays = new ArrayList<>();

    private Life(World world, long seed) {
        this.world = world;
        this.seed = seed;
    }

    static Life tuned(World world, long seed, int observations) {
        Life life = new Life(world, seed);
        Job.Tuned tuned = new Job.Tuned();
        for (int i = 0; i < observations; i++) {
            tuned.observe(life.live(i, tuned.delayNs()));
        }
        return life;
    }

    static Life fixed(World world, long seed, int observations, long delayNs) {
        Life life = new Life(world, seed);
        for (int i = 0; i < observations; i++) {
            life.live(i, delayNs);
        }
        return life;
    }

    /** What all ranks spent up to then, in nanoseconds. */
    double spentNs(int observations) {
        return spentNs.get(observations - 1);
    }

    /** The delay in force at each observation. */
    List<Long> delays() {
        return delays;
    }

    /** The same for all that is tried. */
    private Random chance(int number) {
        return new Random(seed * 0x9E3779B97F4A7C15L + number * 0xBF58476D1CE4E5B9L);
    }

    private Observation live(int number, long delayNs) {
        List<Observation.Arrival> arrivals = new ArrayList<>();
        double callsNs = 0;
        double[] lostNs = new double[2];
        for (int i = 0; i < BROADCASTS; i++) {
            int broadcast = number * BROADCASTS + i;
            Random random = chance(broadcast);
            double load = world.load().factor(broadcast, chance(-1 - number));
            callsNs += WIRE_NS * load;
            for (int receiver = 0; receiver < world.receivers(); receiver++) {
                long afterNs =
                        world.arrivals().afterRootNs(receiver, broadcast, delayNs, random)
                                - delayNs;
                boolean late = afterNs > 0;
                long lost = world.losses().extraNs(receiver, late, delayNs, random);
                double sinceDataNs = ((late ? 0 : WIRE_NS) + lost) * load;
                callsNs += sinceDataNs - Math.min(0, afterNs);
                lostNs[late ? 0 : 1] += lost > 0 ? sinceDataNs : 0;
                arrivals.add(new Observation.Arrival(afterNs, 1));
            }
        }
        double before = spentNs.isEmpty() ? 0 : spentNs.getLast();
        spentNs.add(before + callsNs + (double) BROADCASTS * delayNs);
        delays.add(delayNs);
        long calls = BROADCASTS * (world.receivers() + 1L);
        return new Observation(arrivals, (long) lostNs[0], (long) lostNs[1], calls, (long) callsNs);
    }
}

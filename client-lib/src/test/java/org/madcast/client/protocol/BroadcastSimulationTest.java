package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.madcast.client.Algorithm;
import org.madcast.client.protocol.SimulatedJob.Shape;
import org.madcast.client.protocol.SimulatedJob.Step;
import org.madcast.netsim.Fault;
import org.madcast.netsim.FaultPlan;
import org.madcast.netsim.Faults;
import org.madcast.netsim.RandomStream;
import org.madcast.netsim.Seeds;

/**
 * The engine under thousands of seeded faults; every algorithm has to pass all of them. The first
 * seeds run always, the others with the slow tests.
 */
class BroadcastSimulationTest {

    private static final long LIMIT_NS = 120_000_000_000L;
    private static final int SEEDS = 200;
    private static final int FIRST_SEEDS = 50;

    /** A kind of trouble; the seed decides when and whom it hits. */
    enum Trouble {
        NONE {
            @Override
            FaultPlan plan(RandomStream random, int size) {
                return FaultPlan.NONE;
            }
        },
        LOSS {
            @Override
            FaultPlan plan(RandomStream random, int size) {
                return FaultPlan.of(Faults.loss(0.001 + 0.1 * random.nextDouble()));
            }
        },
        BURSTS {
            @Override
            FaultPlan plan(RandomStream random, int size) {
                return FaultPlan.of(bursts(0.03, 2 + random.nextInt(20)));
            }
        },
        UPLINK_LOSS {
            @Override
            FaultPlan plan(RandomStream random, int size) {
                return FaultPlan.of(Faults.uplinkLoss(0.05));
            }
        },
        REORDERING {
            @Override
            FaultPlan plan(RandomStream random, int size) {
                return FaultPlan.of(Faults.reordering(0.1, 1_000_000));
            }
        },
        DUPLICATION {
            @Override
            FaultPlan plan(RandomStream random, int size) {
                return FaultPlan.of(Faults.duplication(0.1, 500_000));
            }
        },
        CORRUPTION {
            @Override
            FaultPlan plan(RandomStream random, int size) {
                return FaultPlan.of(Faults.corruption(0.02));
            }
        },
        BLACKOUT {
            @Override
            FaultPlan plan(RandomStream random, int size) {
                long from = random.nextInt(20_000_000);
                return FaultPlan.of(
                        Faults.uplinkBlackout(random.nextInt(size), from, from + 200_000_000));
            }
        },
        PAUSE {
            @Override
            FaultPlan plan(RandomStream random, int size) {
                long from = random.nextInt(20_000_000);
                return FaultPlan.NONE.pause(random.nextInt(size), from, from + 700_000_000);
            }
        },
        MULTICAST_DIES {
            @Override
            FaultPlan plan(RandomStream random, int size) {
                return FaultPlan.of(
                        Faults.multicastBlocked(random.nextInt(20_000_000)),
                        Faults.loss(0.01 * random.nextDouble()));
            }
        },
        EVERYTHING {
            @Override
            FaultPlan plan(RandomStream random, int size) {
                return FaultPlan.of(
                        Faults.loss(0.02),
                        bursts(0.01, 5),
                        Faults.reordering(0.05, 800_000),
                        Faults.duplication(0.05, 800_000),
                        Faults.corruption(0.01));
            }
        };

        abstract FaultPlan plan(RandomStream random, int size);

        /**
         * Bursts are counted in datagrams, and when the job has gone quiet a few dozen heartbeats
         * fill the death timeout: a burst that lasts so long is a dead link, which is another test.
         */
        private static Fault bursts(double rate, double meanDatagrams) {
            return Faults.burstLoss(rate, meanDatagrams)
                    .during(0, SimulatedJob.DEATH_TIMEOUT_NS / 2);
        }
    }

    @ParameterizedTest
    @EnumSource(Trouble.class)
    void everyRankGetsEveryByteOverMulticast(Trouble trouble) {
        assertComplete(trouble, FIRST_SEEDS);
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource(Trouble.class)
    void everyRankGetsEveryByteOverMulticastWithManySeeds(Trouble trouble) {
        assertComplete(trouble, SEEDS);
    }

    private static void assertComplete(Trouble trouble, int seeds) {
        Seeds.forEach(
                seeds,
                seed -> job(trouble, Algorithm.ONCE, seed).run(LIMIT_NS).assertAllComplete());
    }

    static Stream<Algorithm> otherAlgorithms() {
        return Stream.of(Algorithm.values()).filter(algorithm -> algorithm != Algorithm.ONCE);
    }

    @ParameterizedTest
    @MethodSource("otherAlgorithms")
    void theOtherAlgorithmsSurviveEverythingToo(Algorithm algorithm) {
        assertSurvivesEverything(algorithm, FIRST_SEEDS / 4);
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("otherAlgorithms")
    void theOtherAlgorithmsSurviveEverythingWithManySeeds(Algorithm algorithm) {
        assertSurvivesEverything(algorithm, SEEDS / 4);
    }

    private static void assertSurvivesEverything(Algorithm algorithm, int seeds) {
        Seeds.forEach(
                seeds,
                seed -> {
                    for (Trouble trouble : Trouble.values()) {
                        job(trouble, algorithm, seed).run(LIMIT_NS).assertAllComplete();
                    }
                });
    }

    @Test
    void aCrashEndsEveryCallOfEveryOtherRankWithTheDeadRanksName() {
        assertCrashIsNamed(FIRST_SEEDS);
    }

    @Tag("slow")
    @Test
    void aCrashEndsEveryCallOfEveryOtherRankWithManySeeds() {
        assertCrashIsNamed(SEEDS);
    }

    private static void assertCrashIsNamed(int seeds) {
        Seeds.forEach(
                seeds,
                seed -> {
                    RandomStream random = RandomStream.of(seed, "crash");
                    int size = 2 + random.nextInt(15);
                    int victim = random.nextInt(size);
                    long atNs = random.nextInt(30_000_000);
                    List<Step> script =
                            IntStream.range(0, 400)
                                    .mapToObj(i -> new Step(i % size, 20_000, Algorithm.ONCE))
                                    .toList();
                    FaultPlan plan = FaultPlan.of(Faults.loss(0.01)).crash(victim, atNs);
                    SimulatedJob job =
                            new SimulatedJob(size, script, plan, seed, Shape.fastEthernet());
                    job.run(LIMIT_NS);
                    for (int rank = 0; rank < size; rank++) {
                        if (rank != victim) {
                            assertThat(job.lostRank(rank)).as(job.describe()).isEqualTo(victim);
                            assertThat(job.finishedNs(rank))
                                    .isLessThan(atNs + 3 * SimulatedJob.DEATH_TIMEOUT_NS);
                        }
                    }
                });
    }

    @Test
    void theSameSeedGivesTheSameTraceTwice() {
        Seeds.forEach(
                20,
                seed -> {
                    long first = trace(seed);
                    assertThat(trace(seed)).isEqualTo(first);
                });
        assertThat(trace(1)).isNotEqualTo(trace(2));
    }

    private static long trace(long seed) {
        return job(Trouble.EVERYTHING, Algorithm.ONCE, seed).run(LIMIT_NS).simulation().traceHash();
    }

    private static SimulatedJob job(Trouble trouble, Algorithm algorithm, long seed) {
        RandomStream random = RandomStream.of(seed, "job");
        int size = 1 + random.nextInt(16);
        List<Step> script = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            script.add(
                    random.chance(0.2)
                            ? Step.BARRIER
                            : new Step(random.nextInt(size), bytes(random), algorithm));
        }
        Shape shape = Shape.fastEthernet().withWindow(64);
        if (random.chance(0.5)) {
            int late = random.nextInt(size);
            shape = shape.thinking(rank -> rank == late ? 5_000_000 : 10_000);
        }
        return new SimulatedJob(size, script, trouble.plan(random, size), seed, shape);
    }

    /** Sizes around what fragments hold, and some larger than the window. */
    private static int bytes(RandomStream random) {
        int[] sizes = {0, 1, 1435, 1436, 1437, 2873, 20_000, 64 * 1436, 150_001};
        return sizes[random.nextInt(sizes.length)];
    }
}

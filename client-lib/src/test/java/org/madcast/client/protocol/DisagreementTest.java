package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.madcast.client.Algorithm;
import org.madcast.client.protocol.SimulatedJob.Shape;
import org.madcast.client.protocol.SimulatedJob.Step;
import org.madcast.netsim.FaultPlan;
import org.madcast.netsim.Faults;
import org.madcast.netsim.RandomStream;
import org.madcast.netsim.Seeds;

/** One rank calls something else than all others: every rank is told, nobody waits for long. */
class DisagreementTest {

    private static final long LIMIT_NS = 20_000_000_000L;
    private static final long THINK_NS = 1_000_000;
    private static final Step RIGHT = new Step(0, 20_000, Algorithm.ONCE);

    /** What the wrong rank does differently. */
    enum Mistake {
        LONGER(Failure.Kind.SIZE_MISMATCH) {
            @Override
            Step instead(Step right) {
                return new Step(right.root(), right.bytes() + 1, right.algorithm());
            }
        },
        SHORTER(Failure.Kind.SIZE_MISMATCH) {
            @Override
            Step instead(Step right) {
                return new Step(right.root(), right.bytes() / 2, right.algorithm());
            }
        },
        EMPTY(Failure.Kind.SIZE_MISMATCH) {
            @Override
            Step instead(Step right) {
                return new Step(right.root(), 0, right.algorithm());
            }
        },
        OTHER_ROOT(Failure.Kind.ROOT_MISMATCH) {
            @Override
            Step instead(Step right) {
                return new Step(right.root() + 1, right.bytes(), right.algorithm());
            }
        },
        OTHER_ALGORITHM(Failure.Kind.ALGORITHM_MISMATCH) {
            @Override
            Step instead(Step right) {
                return new Step(right.root(), right.bytes(), Algorithm.BINARY);
            }
        };

        private final Failure.Kind kind;

        Mistake(Failure.Kind kind) {
            this.kind = kind;
        }

        abstract Step instead(Step right);
    }

    /** The third call of one rank differs; all go on to call for a while. */
    private static SimulatedJob run(
            int size, int wrong, Mistake mistake, FaultPlan plan, long seed) {
        List<Step> right = List.of(RIGHT, RIGHT, RIGHT, RIGHT, RIGHT, RIGHT);
        List<Step> mistaken = List.of(RIGHT, RIGHT, mistake.instead(RIGHT), RIGHT, RIGHT, RIGHT);
        Shape shape = Shape.fastEthernet().thinking(rank -> THINK_NS);
        return new SimulatedJob(size, rank -> rank == wrong ? mistaken : right, plan, seed, shape)
                .run(LIMIT_NS);
    }

    private static Failure failure(SimulatedJob job, int rank) {
        Failure failure = job.engine(rank).failure();
        if (failure == null) {
            throw new AssertionError(job.describe());
        }
        return failure;
    }

    @ParameterizedTest
    @EnumSource(Mistake.class)
    void everyRankIsToldWhatDiffersWithinMilliseconds(Mistake mistake) {
        for (int size : new int[] {2, 3, 8, 40}) {
            for (int wrong : new int[] {0, 1, size - 1}) {
                SimulatedJob job = run(size, wrong, mistake, FaultPlan.NONE, 1);
                for (int rank = 0; rank < size; rank++) {
                    Failure failure = failure(job, rank);
                    assertThat(failure.kind()).as(job.describe()).isEqualTo(mistake.kind);
                    assertThat(failure.broadcast()).isEqualTo(2);
                    assertThat(job.finishedNs(rank)).isLessThan(100_000_000);
                }
            }
        }
    }

    /** The root sends what is right, so a receiver that differs is the one that is named. */
    @Test
    void aReceiverThatDiffersInSizeIsNamedWithBothSizesOnEveryRank() {
        SimulatedJob job = run(12, 7, Mistake.SHORTER, FaultPlan.NONE, 1);
        for (int rank = 0; rank < 12; rank++) {
            assertThat(failure(job, rank))
                    .isEqualTo(new Failure(Failure.Kind.SIZE_MISMATCH, 7, 2, 20_000, 10_000));
        }
        assertThat(failure(job, 3).describe()).contains("rank 7", "10000 bytes", "20000");
    }

    /** It may have heard before the others that multicast has died. */
    @Test
    void aRankThatNamesTheFallbackIsNotMistaken() {
        Step fallback = new Step(RIGHT.root(), RIGHT.bytes(), Algorithm.CHAIN);
        for (int early : new int[] {0, 3, 7}) {
            new SimulatedJob(
                            8,
                            rank -> List.of(RIGHT, rank == early ? fallback : RIGHT, RIGHT),
                            FaultPlan.NONE,
                            1,
                            Shape.fastEthernet())
                    .run(LIMIT_NS)
                    .assertAllComplete();
        }
    }

    /** Nobody fills a buffer with what was meant for another: it would have been compared. */
    @Test
    void loneDifferencesAreFoundUnderLossToo() {
        Seeds.forEach(
                100,
                seed -> {
                    RandomStream random = RandomStream.of(seed, "mistake");
                    Mistake[] all = Mistake.values();
                    Mistake mistake = all[random.nextInt(all.length)];
                    int size = 2 + random.nextInt(14);
                    FaultPlan plan =
                            FaultPlan.of(Faults.loss(0.05), Faults.reordering(0.05, 500_000));
                    SimulatedJob job = run(size, random.nextInt(size), mistake, plan, seed);
                    for (int rank = 0; rank < size; rank++) {
                        assertThat(failure(job, rank).kind())
                                .as(job.describe())
                                .isEqualTo(mistake.kind);
                    }
                });
    }

    /** Nothing comes after it: whoever has returned is leaving, and has to hear of it then. */
    @Test
    void everyRankIsToldOfADifferenceInTheLastCallBeforeItHasLeft() {
        Seeds.forEach(
                100,
                seed -> {
                    RandomStream random = RandomStream.of(seed, "last");
                    Mistake[] all = Mistake.values();
                    Mistake mistake = all[random.nextInt(all.length)];
                    int size = 2 + random.nextInt(14);
                    int wrong = random.nextInt(size);
                    List<Step> right = List.of(RIGHT, RIGHT);
                    List<Step> mistaken = List.of(RIGHT, mistake.instead(RIGHT));
                    FaultPlan plan =
                            FaultPlan.of(Faults.loss(0.05), Faults.reordering(0.05, 500_000));
                    Shape shape =
                            Shape.fastEthernet()
                                    .thinking(rank -> THINK_NS * (rank == wrong ? 100 : 1));
                    SimulatedJob job =
                            new SimulatedJob(
                                            size,
                                            rank -> rank == wrong ? mistaken : right,
                                            plan,
                                            seed,
                                            shape)
                                    .run(LIMIT_NS);
                    for (int rank = 0; rank < size; rank++) {
                        assertThat(failure(job, rank).kind())
                                .as(job.describe())
                                .isEqualTo(mistake.kind);
                    }
                });
    }

    /** One rank leaves after two calls, the others want many more. */
    @Test
    void aRankThatLeavesEarlyIsNamed() {
        int size = 9;
        for (int leaver : new int[] {0, 1, 4, 8}) {
            List<Step> all = Collections.nCopies(100, RIGHT);
            SimulatedJob job =
                    new SimulatedJob(
                                    size,
                                    rank -> rank == leaver ? all.subList(0, 2) : all,
                                    FaultPlan.NONE,
                                    1,
                                    Shape.fastEthernet().thinking(rank -> THINK_NS))
                            .run(LIMIT_NS);
            for (int rank = 0; rank < size; rank++) {
                if (rank != leaver) {
                    Failure failure = failure(job, rank);
                    assertThat(failure.kind()).isEqualTo(Failure.Kind.RANK_LEFT);
                    assertThat(failure.rank()).isEqualTo(leaver);
                }
            }
        }
    }
}

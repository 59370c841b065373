package org.madcast.agent.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.agent.system.NeedsLab;
import org.madcast.lab.Lab;
import org.madcast.lab.LabSpec;

/** Ranks that are gone, and sides of a cluster that do not reach each other: no call hangs. */
class DeathIT {

    private static final int RANKS = 6;
    private static final int ENDLESS = 100_000;
    private static final int BYTES = 64 * 1024;

    /** What noticing and telling may take beyond the time after which silence counts as death. */
    private static final Duration SLACK = Duration.ofSeconds(3);

    private Lab lab;

    @BeforeEach
    void makeLab() {
        NeedsLab.assumeAvailable();
        lab = Lab.up(LabSpec.builder().hosts(RANKS).rate("100mbit").build());
    }

    @AfterEach
    void takeLabDown() {
        if (lab != null) {
            lab.close();
        }
    }

    private FaultJob job(Duration deathTimeout) throws Exception {
        return FaultJob.start(
                lab, RANKS, Map.of("MADCAST_DEATH_TIMEOUT", deathTimeout.toMillis() + "ms"));
    }

    @Test
    void aKilledRankIsNamedToAllOthersInTime() throws Exception {
        assertKilledIsNamed(4, -1, Duration.ofSeconds(2));
    }

    /** The root, the top of the tree, an inner rank and a leaf of it. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 5})
    @Tag("slow")
    void whoeverIsKilledIsNamedWithinTheDefaultTime(int victim) throws Exception {
        assertKilledIsNamed(victim, 3, Duration.ofSeconds(5));
    }

    private void assertKilledIsNamed(int victim, int root, Duration deathTimeout) throws Exception {
        try (FaultJob job = job(deathTimeout)) {
            job.begin(ENDLESS, BYTES, root);
            Faults.last(Duration.ofMillis(300));
            job.kill(victim);
            Duration killed = job.underWay();
            List<Outcome> outcomes = job.await(killed.plus(deathTimeout).plus(SLACK));
            System.out.printf(
                    "killed %d: named after %s: %s%n",
                    victim, job.underWay().minus(killed), outcomes);
            Faults.assertAllMiss(outcomes, RANKS, victim);
            // And so does every later call, at once.
            List<Outcome> later = job.run(1, BYTES, root, Duration.ofSeconds(2));
            Faults.assertAllMiss(later, RANKS, victim);
        }
    }

    @Test
    void aPartitionThatHealsInTimeIsSurvived() throws Exception {
        try (FaultJob job = job(Duration.ofSeconds(5))) {
            job.begin(400, BYTES, -1);
            Faults.last(Duration.ofMillis(300));
            lab.partition(Set.of(1, 4, 5));
            Faults.last(Duration.ofSeconds(1));
            assertThat(job.hasAnswer()).isFalse();
            lab.heal();
            Faults.assertAllRight(job.await(Duration.ofSeconds(60)), RANKS);
        }
    }

    @Test
    @Tag("slow")
    void aPartitionThatLastsEndsTheCallsOnBothSidesAndANewJobWorksWhenItHasHealed()
            throws Exception {
        Duration deathTimeout = Duration.ofSeconds(5);
        Set<Integer> island = Set.of(1, 4, 5);
        try (FaultJob job = job(deathTimeout)) {
            job.begin(ENDLESS, BYTES, -1);
            Faults.last(Duration.ofMillis(300));
            lab.partition(island);
            Duration begun = job.underWay();
            List<Outcome> outcomes = job.await(begun.plus(deathTimeout).plus(SLACK));
            System.out.printf("partition: %s%n", outcomes);
            assertThat(outcomes)
                    .hasSize(RANKS)
                    .allMatch(outcome -> outcome.failure().equals("RankLostException"))
                    .allMatch(outcome ->
                            island.contains(outcome.rank()) != island.contains(outcome.lostRank()));
            lab.heal();
            // What was given up stays given up, on all ranks, also now that datagrams pass again.
            assertThat(job.run(1, BYTES, 0, Duration.ofSeconds(2)))
                    .hasSize(RANKS)
                    .noneMatch(Outcome::isRight);
        }
        try (FaultJob job = job(deathTimeout)) {
            Faults.assertAllRight(job.run(20, BYTES, -1, Duration.ofSeconds(60)), RANKS);
        }
    }
}

package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.madcast.client.Algorithm;
import org.madcast.client.protocol.SimulatedJob.Shape;
import org.madcast.client.protocol.SimulatedJob.Step;
import org.madcast.netsim.FaultPlan;

/** A failure says the same on all ranks: who noticed whom, and how. */
class FailureDescriptionTest {

    @Test
    void aDeathNamesTheRankThatNoticedIt() {
        FaultPlan plan = FaultPlan.NONE.crash(5, 1_000_000);
        List<Step> script = List.of(new Step(5, 1_000_000, Algorithm.ONCE));
        SimulatedJob job = new SimulatedJob(7, script, plan, 1, Shape.fastEthernet());
        job.run(60_000_000_000L);
        for (int rank : new int[] {0, 1, 6}) {
            Failure failure = Objects.requireNonNull(job.engine(rank).failure(), job::describe);
            assertThat(failure.describe())
                    .matches(
                            "rank 5 is lost: (nothing has come from it|it has not answered)"
                                    + " for the death timeout \\(noticed by rank \\d\\)");
        }
    }

    @Test
    void whatAnOlderRankSendsNamesTheDeadRankAlone() {
        Failure older = new Failure(Failure.Kind.RANK_DIED, 3, 0, 0, 0);
        assertThat(older.describe()).isEqualTo("rank 3 is lost: it does not answer any more");
    }

    @Test
    void aMarkedRankIsNotSaidToBeSilent() {
        assertThat(Failure.ofDead(0, 1, Failure.Death.MARKED).describe())
                .isEqualTo("rank 0 is lost: a program marked it as failed (noticed by rank 1)");
    }
}

package org.madcast.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.mpi.programs.Communicators;
import org.madcast.mpi.programs.Ends;
import org.madcast.mpi.programs.Intercommunicators;

/** Communicators and groups, and how a job ends. */
final class CommunicatorsTest {

    @ParameterizedTest
    @ValueSource(ints = {5})
    void groupsCommunicatorsAttributesAndInfo(int ranks) {
        Job.of(Communicators.class).passes(ranks);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void groupsCommunicatorsAttributesAndInfoWithOtherNumbersOfRanks(int ranks) {
        groupsCommunicatorsAttributesAndInfo(ranks);
    }

    @ParameterizedTest
    @ValueSource(ints = {3})
    void intercommunicators(int ranks) {
        Job.of(Intercommunicators.class).passes(ranks);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(ints = {2, 5})
    void intercommunicatorsWithOtherNumbersOfRanks(int ranks) {
        intercommunicators(ranks);
    }

    @Test
    void aRankThatAbortsEndsTheOthers() {
        List<Job.Rank> ended = Job.of(Ends.class, "abort").run(3);
        assertThat(ended).as("%s", ended).extracting(Job.Rank::exitCode).containsOnly(37);
        assertThat(ended.get(2).errors().lines())
                .containsExactly("madcast: rank 2: MPI abort with code 37");
        assertThat(ended.get(0).errors()).isEmpty();
    }

    @Test
    void anAbortWithCode0EndsRanksThatCompute() {
        List<Job.Rank> ended = Job.of(Ends.class, "computing").run(2);
        assertThat(ended).as("%s", ended).extracting(Job.Rank::exitCode).containsOnly(0);
    }

    @Test
    void aFatalErrorEndsTheJobWithOneLine() {
        List<Job.Rank> ended = Job.of(Ends.class, "fatal").run(2);
        assertThat(ended).as("%s", ended).extracting(Job.Rank::exitCode).containsOnly(8);
        assertThat(ended.get(1).errors().lines()).hasSize(1);
        assertThat(ended.get(1).errors())
                .contains("rank 1: send: MPI_ERR_RANK: destination 99 is outside 0 to 1;");
        assertThat(ended.get(0).errors()).isEmpty();
    }

    @Test
    void forgettingFinalizeIsReported() {
        List<Job.Rank> ended = Job.of(Ends.class, "forget").run(2);
        for (Job.Rank each : ended) {
            assertThat(each.exitCode()).isZero();
            assertThat(each.output()).isEqualTo("done\n");
            assertThat(each.errors()).contains("ended without MPI.Finalize()");
        }
    }

    @Test
    void aSignalIsNoForgottenFinalize() {
        Job.Rank ended = Job.of(Ends.class, "signal").run(1).getFirst();
        assertThat(ended.exitCode()).isEqualTo(143);
        assertThat(ended.errors()).isEmpty();
    }

    @Test
    void aRankThatExitsEndsTheCallsOfTheOthers() {
        List<Job.Rank> ended = Job.of(Ends.class, "exit").run(3);
        assertThat(ended.get(0).output()).isEqualTo("lost true\nlost true\n");
        assertThat(ended.get(1).output()).isEqualTo("lost true\nlost true\n");
        assertThat(ended.get(2).errors()).contains("rank 2 ended without MPI.Finalize()");
    }

    /** The time after which a silent rank is dead is longer than any test. */
    private static Job withPatience(String end) {
        return Job.of(Ends.class, end).option("-Dmadcast.death.timeout=60min");
    }

    @Test
    void aRankThatDiesEndsTheCallsOfTheOthersAtOnceAndTheyCanStillAbort() {
        List<Job.Rank> ended = withPatience("barrier").run(4);
        assertThat(ended)
                .as("%s", ended)
                .extracting(Job.Rank::exitCode)
                .containsExactly(5, 5, 5, 9);
        assertThat(ended.get(0).output()).isEqualTo("lost true\n");
    }

    @Test
    void aRankThatDiesEndsTheFinalizeOfTheOthersAtOnce() {
        List<Job.Rank> ended = withPatience("finalize").run(3);
        assertThat(ended).as("%s", ended).extracting(Job.Rank::exitCode).containsExactly(0, 0, 9);
        assertThat(ended.get(0).output()).isEqualTo("lost true\n");
        assertThat(ended.get(1).output()).isEqualTo("lost true\n");
    }

    @Test
    void aFinalizeThatMissesARankIsFatalUnlessErrorsAreReturned() {
        List<Job.Rank> ended = withPatience("fatal finalize").run(2);
        assertThat(ended).as("%s", ended).extracting(Job.Rank::exitCode).containsExactly(8, 9);
        assertThat(ended.getFirst().errors().lines()).hasSize(1);
        assertThat(ended.getFirst().errors())
                .startsWith("madcast: rank 0: Finalize: MPI_ERR_PROC_ABORTED: rank 1 is lost");
    }
}

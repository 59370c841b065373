package org.madcast.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.mpi.programs.Basics;
import org.madcast.mpi.programs.Costs;
import org.madcast.mpi.programs.Modes;
import org.madcast.mpi.programs.Outstanding;
import org.madcast.mpi.programs.RequestForms;

/** Environment, point-to-point communication and requests. */
final class MessagesTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void environmentAndSimpleMessages(int ranks) {
        Job.of(Basics.class, "0", "mpj.conf", "niodev", "own", "7").passes(ranks);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(ints = {2, 5})
    void environmentAndSimpleMessagesWithOtherNumbersOfRanks(int ranks) {
        environmentAndSimpleMessages(ranks);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void modesProbesAndCancelledReceives(int ranks) {
        Job.of(Modes.class).passes(ranks);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    void modesProbesAndCancelledReceivesWithOtherNumbersOfRanks(int ranks) {
        modesProbesAndCancelledReceives(ranks);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void formsOfWaitingAndTesting(int ranks) {
        Job.of(RequestForms.class).passes(ranks);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(ints = {2})
    void formsOfWaitingAndTestingWithOtherNumbersOfRanks(int ranks) {
        formsOfWaitingAndTesting(ranks);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void tenThousandOutstandingRequests(int ranks) {
        Job.of(Outstanding.class, "10000").passes(ranks);
    }

    /** In a heap of 256 MiB, as all programs here. */
    @Tag("slow")
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aHundredThousandOutstandingRequests(int ranks) {
        Job.of(Outstanding.class, "100000").within(300).passes(ranks);
    }

    @Test
    void aMessageAllocatesNothingButItsStatus() {
        Job.of(Costs.class).passes(1);
    }

    @Test
    void withoutLauncherThereIsOneRank() {
        List<Job.Rank> ended = Job.of(Basics.class, "own", "7").alone().run(1);
        assertThat(ended.getFirst().exitCode()).as("%s", ended.getFirst()).isZero();
        assertThat(ended.getFirst().errors()).isEmpty();
    }
}

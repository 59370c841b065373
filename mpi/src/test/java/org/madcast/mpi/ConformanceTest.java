package org.madcast.mpi;

import java.nio.file.Path;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.madcast.mpi.programs.Associations;
import org.madcast.mpi.programs.Corners;
import org.madcast.mpi.programs.Details;
import org.madcast.mpi.programs.Envelopes;
import org.madcast.mpi.programs.Extremes;
import org.madcast.mpi.programs.Habits;
import org.madcast.mpi.programs.LargeMessages;
import org.madcast.mpi.programs.OneArray;
import org.madcast.mpi.programs.RandomCollectives;
import org.madcast.mpi.programs.RandomFiles;
import org.madcast.mpi.programs.RandomTypes;
import org.madcast.mpi.programs.RandomWindows;
import org.madcast.mpi.programs.ThreadsAtOnce;
import org.madcast.mpi.programs.WithoutArguments;
import org.madcast.mpi.programs.WrongArguments;

/**
 * The standard's rules beside models of what it says, on 1 to 5 ranks. Three ranks are enough to
 * find most faults, so only these run always.
 */
final class ConformanceTest {

    @TempDir Path directory;

    static Stream<Class<?>> always() {
        return Stream.of(
                Envelopes.class,
                Extremes.class,
                RandomTypes.class,
                Corners.class,
                Details.class,
                Habits.class,
                OneArray.class);
    }

    @ParameterizedTest
    @MethodSource("always")
    void onThreeRanks(Class<?> program) {
        Job.of(program).passes(3);
    }

    @Test
    void withoutArgumentsAndTwice() {
        Job.of(WithoutArguments.class).alone().passes(1);
    }

    @Test
    void everyArgumentWrongOnce() {
        Job.of(WrongArguments.class, directory.toString()).passes(1);
    }

    static Stream<Arguments> everything() {
        return Stream.of(
                        Envelopes.class,
                        Extremes.class,
                        RandomTypes.class,
                        Corners.class,
                        Details.class,
                        Habits.class,
                        OneArray.class,
                        Associations.class,
                        RandomCollectives.class,
                        RandomWindows.class,
                        RandomFiles.class,
                        ThreadsAtOnce.class)
                .flatMap(program ->
                        IntStream.rangeClosed(1, 5)
                                .mapToObj(ranks -> Arguments.of(program, ranks)));
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("everything")
    void onOneToFiveRanks(Class<?> program, int ranks) {
        Job job =
                program.equals(RandomFiles.class)
                        ? Job.of(program, directory.toString())
                        : Job.of(program);
        job.passes(ranks);
    }

    /** Two heaps of 3 GiB. */
    @Tag("slow")
    @Test
    void messagesOfMoreBytesThanAnIntCounts() {
        Job.of(LargeMessages.class).option("-Xmx5g").within(600).passes(2);
    }
}

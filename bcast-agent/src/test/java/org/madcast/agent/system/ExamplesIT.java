package org.madcast.agent.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The programs in {@code examples} print the same right result with any number of ranks. */
@Timeout(300)
class ExamplesIT {

    private static final Path SOURCES = Path.of(System.getProperty("madcast.home"), "examples");

    private static final String AFTER_TWO_LOSSES =
            """
            6 ranks go on from step 400
            heat 2307.392960 after 1000 steps
            """;

    /** What a program tells that has lost ranks. */
    private static final String COST = "lost [0-9]+[.,][0-9] s beside the steps that were redone\n";

    @TempDir private static Path classes = Path.of("");
    @TempDir private Path directory = Path.of("");

    @BeforeAll
    static void compile() throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (Stream<Path> found = Files.list(SOURCES)) {
            List<String> sources =
                    found.map(Path::toString).filter(it -> it.endsWith(".java")).toList();
            Stream<String> options = Stream.of("-Xlint:all", "-Werror", "-d", classes.toString());
            assertThat(
                            compiler.run(
                                    null,
                                    null,
                                    null,
                                    Stream.concat(options, sources.stream())
                                            .toArray(String[]::new)))
                    .isZero();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "DotProduct | 3 | x * y = 9000006",
                "Averaging  | 4 | y = 2.0 x + 1.0",
                "SampleSort | 5 | sorted 500000 numbers",
                "Halo       | 1 | heat 64833.919853 after 200 steps",
                "Halo       | 7 | heat 64833.919853 after 200 steps",
                "Ring       | 1 | the token is 0 after 1 ranks",
                "Ring       | 4 | the token is 6 after 4 ranks",
                "Replaced   | 2 | heat 2307.392960 after 1000 steps by 2 ranks",
                "Survivors  | 3 | heat 2307.392960 after 1000 steps"
            })
    void printsTheResult(String example, int ranks, String result) throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String path = classes + ":" + System.getProperty("java.class.path");
        try (Program run =
                Program.start(
                        directory,
                        "run",
                        "-n",
                        Integer.toString(ranks),
                        "--",
                        java,
                        "-cp",
                        path,
                        example)) {
            assertThat(run.await()).as(run.err()).isZero();
            assertThat(run.out()).isEqualTo(result + "\n");
            run.assertNothingIsLeft();
        }
    }

    @Test
    void finishesWithoutItsFirstTwoCoordinators() throws Exception {
        finishesWithoutTheTwoOfEightRanksThatAreKilled("0", "1");
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"2, 5", "6, 7", "0, 7"})
    void finishesWithoutTheTwoOfEightRanksThatAreKilled(String one, String other) throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String path = classes + ":" + System.getProperty("java.class.path");
        List<String> program = List.of(java, "-cp", path, "Survivors", one, other);
        List<String> command = new ArrayList<>(List.of("run", "-n", "8", "--survive", "--"));
        command.addAll(program);
        try (Program run = Program.start(directory, command.toArray(String[]::new))) {
            assertThat(run.await()).as(run.err()).isZero();
            // The second one may get to its end only after the others have gone on without the
            // first.
            assertThat(
                            run.out()
                                    .replace("7 ranks go on from step 400\n", "")
                                    .replaceFirst(COST, ""))
                    .isEqualTo(AFTER_TWO_LOSSES);
            for (String killed : List.of(one, other)) {
                assertThat(run.err())
                        .contains(
                                "madcast: rank " + killed + " on this machine ended with code 137")
                        .contains("; the others go on");
            }
            run.assertNothingIsLeft();
        }
    }

    @Test
    void sparesTakeThePlacesOfTwoOfEightRanks() throws Exception {
        sparesTakeThePlaces("0", "5", 3);
    }

    /** The second argument is a spare that is killed while it waits, or another rank. */
    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"2, 7, 2", "6, 9, 2", "8, 9, 3", "0, 1, 2"})
    void sparesTakeThePlaces(String one, String other, int spares) throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String path = classes + ":" + System.getProperty("java.class.path");
        String count = Integer.toString(spares);
        try (Program run =
                Program.start(
                        directory,
                        "run",
                        "-n",
                        "8",
                        "--spares",
                        count,
                        "--",
                        java,
                        "-cp",
                        path,
                        "Replaced",
                        one,
                        other)) {
            assertThat(run.await()).as(run.err()).isZero();
            assertThat(run.out().replaceFirst(COST, ""))
                    .isEqualTo("heat 2307.392960 after 1000 steps by 8 ranks\n");
            for (String killed : List.of(one, other)) {
                assertThat(run.err())
                        .contains(
                                "madcast: rank " + killed + " on this machine ended with code 137");
            }
            run.assertNothingIsLeft();
        }
    }

    /** The programs themselves hold the bound. */
    @Tag("performance")
    @ParameterizedTest
    @CsvSource({"Survivors, --survive", "Replaced, --spares=2"})
    void aLossCostsAtMostTenSecondsBesideTheRedoneSteps(String example, String option)
            throws Exception {
        String path = classes + ":" + System.getProperty("java.class.path");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String[] command =
                "run -n 8 %s -- %s -cp %s %s 0 5 within=10"
                        .formatted(option, java, path, example)
                        .split(" ", -1);
        try (Program run = Program.start(directory, command)) {
            assertThat(run.await()).as(run.out() + run.err()).isZero();
            assertThat(run.out()).containsPattern(COST);
            run.assertNothingIsLeft();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Survivors | 2 | x | none of 2 ranks is called x; write 2 5 within=10",
                "Replaced  | 1 | 1 | none of 1 ranks is called 1; write 2 5 within=10"
            })
    void whatCannotBeIsRefusedInOneLine(String example, int ranks, String argument, String why)
            throws Exception {
        String path = classes + ":" + System.getProperty("java.class.path");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String[] command =
                "run -n %d -- %s -cp %s %s %s"
                        .formatted(ranks, java, path, example, argument)
                        .split(" ", -1);
        try (Program run = Program.start(directory, command)) {
            assertThat(run.await()).as(run.err()).isEqualTo(2);
            assertThat(run.out()).isEmpty();
            assertThat(run.err().lines().filter(line -> !line.startsWith("madcast: rank ")))
                    .containsExactly(why);
            run.assertNothingIsLeft();
        }
    }

    @Test
    void eachIsTested() throws IOException {
        try (Stream<Path> found = Files.list(SOURCES)) {
            assertThat(found.filter(Files::isRegularFile).map(it -> it.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "Averaging.java",
                            "DotProduct.java",
                            "Halo.java",
                            "Replaced.java",
                            "Ring.java",
                            "SampleSort.java",
                            "Survivors.java");
        }
    }
}

package org.madcast.agent.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The steps of {@code docs/TUTORIAL.md} print what it says. */
@Timeout(300)
class TutorialIT {

    private static final Path HOME = Path.of(System.getProperty("madcast.home"));
    private static final Path SOURCES = HOME.resolve("examples/tutorial");

    @TempDir private static Path classes = Path.of("");
    private static CompiledExamples steps;

    @TempDir private Path directory = Path.of("");

    @BeforeAll
    static void compile() throws IOException {
        steps = CompiledExamples.compile(SOURCES, classes);
    }

    @ParameterizedTest
    @CsvSource({"Heat1, 1", "Heat4, 3", "Heat5, 4", "Heat6, 3"})
    void everyStepHasTheSameResult(String step, int ranks) throws Exception {
        assertThat(run(step, ranks)).isEqualTo("heat 28320.381108\n");
    }

    @Test
    void ranksKnowTheirShare() throws Exception {
        assertThat(run("Heat2", 3).lines())
                .containsExactlyInAnyOrder(
                        "rank 0 of 3 has 20 rows",
                        "rank 1 of 3 has 20 rows",
                        "rank 2 of 3 has 20 rows");
    }

    @Test
    void whatRankZeroKnowsReachesAll() throws Exception {
        assertThat(run("Heat3", 2, "70").lines())
                .containsExactlyInAnyOrder(
                        "rank 0: the upper edge has 70 degrees",
                        "rank 1: the upper edge has 70 degrees");
    }

    /** Each command of the page names a file that is there, and each file is named. */
    @Test
    void thePageLeadsThroughEveryFile() throws IOException {
        String page = Files.readString(HOME.resolve("docs/TUTORIAL.md"));
        try (Stream<Path> found = Files.list(SOURCES)) {
            assertThat(found.map(Path::getFileName).map(Path::toString))
                    .hasSize(6)
                    .allSatisfy(name -> {
                        assertThat(page).contains("java examples/tutorial/" + name);
                        assertThat(page).contains("(../examples/tutorial/" + name + ")");
                    });
        }
        assertThat(page).contains("heat 28320.381108");
    }

    private String run(String step, int ranks, String... arguments) throws Exception {
        try (Program program = steps.start(directory, ranks, step, List.of(arguments))) {
            assertThat(program.await()).as(program.err()).isZero();
            program.assertNothingIsLeft();
            return program.out();
        }
    }
}

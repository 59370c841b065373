package org.madcast.agent.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
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
    private static final String LIBRARY =
            Stream.of("madcast-client", "madcast-madcap", "madcast-native", "nanojson")
                    .map(name -> HOME.resolve("bcast-agent/target/lib/" + name + ".jar").toString())
                    .collect(Collectors.joining(":"));

    @TempDir private static Path classes = Path.of("");
    @TempDir private Path directory = Path.of("");

    @BeforeAll
    static void compile() throws IOException {
        List<String> arguments = new ArrayList<>(List.of("-Xlint:all", "-Werror"));
        arguments.addAll(List.of("-cp", LIBRARY, "-d", classes.toString()));
        try (Stream<Path> found = Files.list(SOURCES)) {
            found.map(Path::toString).forEach(arguments::add);
        }
        String[] words = arguments.toArray(String[]::new);
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, words)).isZero();
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
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> words =
                new ArrayList<>(List.of("run", "-n", Integer.toString(ranks), "--", java, "-cp"));
        words.add(classes + ":" + LIBRARY);
        words.add(step);
        words.addAll(List.of(arguments));
        try (Program program = Program.start(directory, words.toArray(String[]::new))) {
            assertThat(program.await()).as(program.err()).isZero();
            program.assertNothingIsLeft();
            return program.out();
        }
    }
}

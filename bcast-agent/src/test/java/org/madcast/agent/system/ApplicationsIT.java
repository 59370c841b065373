package org.madcast.agent.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The programs in {@code examples/applications} compute what one rank alone does. */
@Timeout(300)
class ApplicationsIT {

    private static final Path HOME = Path.of(System.getProperty("madcast.home"));

    @TempDir private static Path classes = Path.of("");
    private static CompiledExamples applications;

    @TempDir private Path directory = Path.of("");

    @BeforeAll
    static void compile() throws IOException {
        applications = CompiledExamples.compile(HOME.resolve("examples/applications"), classes);
    }

    private Program start(String application, int ranks, String arguments) throws IOException {
        List<String> words = List.of(arguments.replace("HOME", HOME.toString()).split(" "));
        return applications.start(directory, ranks, application, words);
    }

    @ParameterizedTest
    @CsvSource({
        "ConjugateGradient, 4, size=9 repeat=1",
        "FourierTransform,  7, size=16 repeat=1",
        "Compression,       4, size=5 repeat=1",
        "WordCount,         4, size=9 repeat=1 input=HOME/README.md",
        "LuFactorisation,   4, size=160 repeat=1"
    })
    void theResultIsThatOfOneRankAlone(String application, int ranks, String arguments)
            throws Exception {
        assertRight(application, ranks, arguments);
    }

    @ParameterizedTest
    @Tag("slow")
    @CsvSource({
        "ConjugateGradient, size=16 repeat=2",
        "FourierTransform,  size=32 repeat=2",
        "Compression,       size=20 repeat=2",
        "WordCount,         size=20 repeat=2 input=HOME/docs",
        "LuFactorisation,   size=544 repeat=2"
    })
    void soItIsWithAnyNumberOfRanks(String application, String arguments) throws Exception {
        for (int ranks : new int[] {1, 4, 7, 16}) {
            directory = Files.createDirectory(directory.resolve("of" + ranks));
            assertRight(application, ranks, arguments);
        }
    }

    private void assertRight(String application, int ranks, String arguments) throws Exception {
        try (Program run = start(application, ranks, arguments)) {
            assertThat(run.await()).as(run.err()).isZero();
            assertThat(run.err()).isEmpty();
            assertThat(run.out().lines())
                    .hasSize(5)
                    .startsWith("ranks=" + ranks + " processors=" + processors())
                    .endsWith("result=right");
            assertThat(run.out()).contains("form=alone", "form=blocking", "form=overlapped");
            run.assertNothingIsLeft();
        }
    }

    private static int processors() {
        return Runtime.getRuntime().availableProcessors();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ConjugateGradient | 3 | size=2      | 2 | 3 ranks are too many for a cube of 2 planes",
                "WordCount         | 2 | input=/no/t | 3 | /no/t does not exist or cannot be read"
            })
    void whatCannotBeIsRefusedInOneLine(
            String application, int ranks, String arguments, int code, String complaint)
            throws Exception {
        assertRefused(application, ranks, arguments, code, complaint);
    }

    @ParameterizedTest
    @Tag("slow")
    @CsvSource(
            delimiter = '|',
            value = {
                "FourierTransform  | 2 | size=15     | 2 | size must be a power of two, not 15",
                "LuFactorisation   | 2 | size=33     | 2 | size must be a multiple of 32, not 33",
                "Compression       | 2 | size=x      | 2 | size must be 1 to 4096, not x",
                "ConjugateGradient | 1 | size=9 x=1  | 2 | no argument is called x; there are repeat, size, steps",
                "LuFactorisation   | 3 | size=64     | 2 | 3 ranks are too many for 2 blocks of columns"
            })
    void soIsWhatTheOthersCannotDo(
            String application, int ranks, String arguments, int code, String complaint)
            throws Exception {
        assertRefused(application, ranks, arguments, code, complaint);
    }

    private void assertRefused(
            String application, int ranks, String arguments, int code, String complaint)
            throws Exception {
        try (Program run = start(application, ranks, arguments)) {
            assertThat(run.await()).isEqualTo(code);
            assertThat(run.out()).isEmpty();
            assertThat(run.err().lines().filter(line -> !line.startsWith("madcast: rank ")))
                    .containsExactly(complaint);
            run.assertNothingIsLeft();
        }
    }

    @Test
    void theCommandComparesTheForms() throws Exception {
        try (Program run =
                Program.start(
                        directory, "example", "cg", "--no-lab", "--hosts", "2", "--size", "12")) {
            assertThat(run.await()).as(run.err()).isZero();
            assertThat(run.out())
                    .contains("one rank alone", "blocking", "overlapped", "Overlap ")
                    .contains("The result is that of one rank alone.", "Hoefler 2008");
            assertThat(run.out().lines()).allMatch(line -> line.length() <= 80);
            run.assertNothingIsLeft();
        }
    }

    @Test
    void theCommandTellsWhatAProgramRefuses() throws Exception {
        try (Program run =
                Program.start(
                        directory, "example", "fft", "--no-lab", "--hosts", "2", "--size", "9")) {
            assertThat(run.await()).isEqualTo(2);
            assertThat(run.out()).isEmpty();
            assertThat(run.err()).endsWith("madcast: size must be a power of two, not 9\n");
            run.assertNothingIsLeft();
        }
    }

    @Test
    @Tag("slow")
    void itRunsInTheLab() throws Exception {
        NeedsLab.assumeAvailable();
        assumeTrue(processors() > 1, "ranks on one processor take too long");
        try (Program run =
                Program.start(directory, "example", "lu", "--size", "256", "--ranks", "5")) {
            assertThat(run.await()).as(run.err()).isZero();
            assertThat(run.out()).contains("5 ranks on 4 hosts, 100mbit a link");
            run.assertNothingIsLeft();
        }
    }
}

package org.madcast.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.madcast.agent.ExitCode;
import org.w3c.dom.Document;
import picocli.CommandLine;

/** {@code compare report}: from the files of several runs to one table and one chart. */
class ReportTest {

    @TempDir private Path directory = Path.of("");
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(Object... arguments) {
        CommandLine line = CompareCommand.commandLine();
        line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        String[] words = new String[arguments.length];
        for (int i = 0; i < words.length; i++) {
            words[i] = arguments[i].toString();
        }
        return line.execute(words);
    }

    private static String row(
            String system, String algorithm, int sizeBytes, double lastUs, String floorUs) {
        return """
        {"system":"%s","algorithm":"%s","ranks":16,"sizeBytes":%d,"rate":"100mbit",
         "launches":2,"repetitions":10,"lastMedianUs":%s,"lastP95Us":%s,
         "floorLastMedianUs":%s}\
        """
                .formatted(system, algorithm, sizeBytes, lastUs, lastUs + 10, floorUs);
    }

    private Path file(String name, String... rows) throws Exception {
        String text = "{\"rows\":[" + String.join(",", rows) + "]}";
        return Files.writeString(directory.resolve(name), text);
    }

    @Test
    void putsTheSystemsSideBySide() throws Exception {
        Path ours = file("ours.json", row("madcast", "once", 16, 400, "200"));
        Path theirs =
                file(
                        "theirs.json",
                        row("openmpi", "default", 16, 1500, "500"),
                        row("openmpi", "pipeline/8KiB", 16, 300, "500"));
        assertThat(run("report", ours, theirs)).isEqualTo(ExitCode.OK.code());
        assertThat(out.toString())
                .contains("| madcast once | 0.40 (0.41) |")
                .contains("| openmpi default | 1.50 (1.51) |")
                .contains("| openmpi pipeline | 0.30 (0.31) 8KiB |")
                .contains("| madcast | 0.20 |")
                .contains("| openmpi | 0.50 |")
                .contains("| openmpi default | 3.75 (default) |")
                .contains("| openmpi best | **0.75** (pipeline/8KiB) |");
    }

    /** A busy rival slows the floor beside it down, which must not lower its own line. */
    @Test
    void theChartMeasuresAllByTheFastestFloor() throws Exception {
        Result ours = new Result("madcast", "once", "once", 16, "100mbit", 16, 20, 400, 410, 200);
        Result theirs = new Result("aeron", "x", "x", 16, "100mbit", 16, 20, 400, 410, 800);
        Comparison comparison = new Comparison(List.of(ours, theirs));
        assertThat(comparison.timesFloor(ours)).isEqualTo(2);
        assertThat(comparison.timesFloor(theirs)).isEqualTo(2);
    }

    @Test
    void theChartIsWellFormedAndHasALineForEachContender() throws Exception {
        Path ours =
                file(
                        "ours.json",
                        row("madcast", "once", 16, 400, "200"),
                        row("madcast", "once", 1 << 20, 86_000, "85000"));
        Path theirs = file("theirs.json", row("aeron", "default", 16, 900, "200"));
        Path chart = directory.resolve("chart.svg");
        assertThat(run("report", ours, theirs, "--chart", chart)).isEqualTo(ExitCode.OK.code());
        Document svg =
                DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(chart.toFile());
        assertThat(svg.getElementsByTagName("polyline").getLength()).isEqualTo(3);
        assertThat(svg.getElementsByTagName("circle").getLength()).isEqualTo(4);
        assertThat(Files.readString(chart)).contains("aeron best", "1 MiB", "16 B");
    }

    @Test
    void refusesWhatCannotBeCompared() throws Exception {
        Path without = file("without.json", row("madcast", "once", 16, 400, "null"));
        assertThat(run("report", without)).isEqualTo(ExitCode.NO_INPUT.code());
        assertThat(err.toString()).contains("--floor");
        assertThat(run("report", directory.resolve("nothing.json")))
                .isEqualTo(ExitCode.NO_INPUT.code());
        assertThat(err.toString()).contains("nothing.json cannot be read");
        Path garbage = Files.writeString(directory.resolve("garbage.json"), "{");
        assertThat(run("report", garbage)).isEqualTo(ExitCode.NO_INPUT.code());
    }
}

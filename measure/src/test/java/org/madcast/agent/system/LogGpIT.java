package org.madcast.agent.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.madcast.agent.ExitCode;
import org.madcast.lab.LinkRate;

/** {@code madcast loggp} finds the rates that the lab was given. */
@Timeout(300)
class LogGpIT {

    @TempDir private Path directory = Path.of("");
    private Optional<ProbeLab> open = Optional.empty();

    @BeforeEach
    void needsALab() {
        NeedsLab.assumeAvailable();
    }

    @AfterEach
    void close() {
        open.ifPresent(ProbeLab::close);
    }

    private static JsonObject measure(ProbeLab lab) throws Exception {
        return measure(lab, 1);
    }

    private static JsonObject measure(ProbeLab lab, int lastNode) throws Exception {
        Program program = lab.start("loggp", lastNode);
        assertThat(program.await()).as(program.err()).isEqualTo(ExitCode.OK.code());
        return program.json();
    }

    /** The slope of the largest datagrams, as a rate. */
    private static double megabits(JsonObject result) {
        JsonArray protocols = result.getArray("protocols");
        JsonObject last = protocols.getObject(protocols.size() - 1);
        return 8e3 / last.getDouble("gapPerByteNs");
    }

    private ProbeLab lab() throws Exception {
        return lab(1);
    }

    private ProbeLab lab(int agents) throws Exception {
        ProbeLab lab = ProbeLab.up(directory, agents + 1);
        open = Optional.of(lab);
        for (int node = 1; node <= agents; node++) {
            lab.startAgent(node).awaitSaid("MA-001");
        }
        return lab;
    }

    @Test
    void theCableAMulticastAndSeveralNodesHaveParameters() throws Exception {
        JsonObject result = measure(lab(3), 3);
        // Of 1514 bytes of a frame as the shaper counts, 1480 are of a large datagram.
        assertThat(megabits(result)).isCloseTo(100 * 1480.0 / 1514, within(5.0));
        assertThat(result.getDouble("latencyNs")).isBetween(5e3, 20e6);
        assertThat(result.getDouble("overheadNs")).isBetween(0.0, 5e6);
        assertThat(result.getObject("advice").getInt("fragmentBytes")).isBetween(256, 32_768);
        assertMulticast(result.getObject("multicast"));
        assertFans(result.getArray("fans"));
        JsonObject logFp = result.getObject("logfp");
        assertThat(logFp.getInt("free")).isBetween(1, 3);
        assertThat(logFp.getDouble("gapNs")).isPositive();
    }

    private static void assertMulticast(JsonObject multicast) {
        assertThat(multicast.getDouble("latencyNs")).isNotNegative();
        JsonArray points = multicast.getArray("points");
        assertThat(points).hasSize(14);
        // The cable carries a frame of 1514 bytes in 121 us.
        assertThat(points.getObject(13).getDouble("gapNs")).isGreaterThan(80_000);
    }

    private static void assertFans(JsonArray fans) {
        assertThat(fans).hasSize(3);
        for (int i = 0; i < fans.size(); i++) {
            assertThat(fans.getObject(i).getInt("nodes")).isEqualTo(i + 1);
            assertThat(fans.getObject(i).getDouble("roundTripNs")).isPositive();
            assertThat(fans.getObject(i).getDouble("multicastNs")).isPositive();
        }
    }

    @Test
    @Tag("slow")
    void aSlowerCableHasALargerGap() throws Exception {
        ProbeLab lab = lab();
        lab.lab().setRate(0, Optional.of(LinkRate.parse("20mbit")));
        assertThat(megabits(measure(lab))).isCloseTo(20 * 1480.0 / 1514, within(1.0));
    }
}

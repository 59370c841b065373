package org.madcast.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The pages of measurements show what benchmarks/results has. */
class MeasurementPagesTest {

    @Test
    void areThoseOfTheResults() throws Exception {
        Process report =
                new ProcessBuilder(Project.path("benchmarks/report").toString(), "--check")
                        .redirectErrorStream(true)
                        .start();
        String output = new String(report.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(report.waitFor()).as(output).isZero();
    }
}

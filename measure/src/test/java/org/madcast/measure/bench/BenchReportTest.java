package org.madcast.measure.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.madcast.client.Algorithm;
import org.madcast.lab.LabSpec;

class BenchReportTest {

    @Test
    void theTableFitsIntoEightyColumns() {
        Algorithm[] algorithms = Algorithm.values();
        List<Row> rows =
                Arrays.stream(algorithms)
                        .map(algorithm ->
                                new Row(
                                        new Cell(algorithm.label(), 262_144),
                                        1_704_123.4,
                                        9_990.4,
                                        99_990.4,
                                        999_990.4,
                                        12_345_678.9,
                                        99_990.4,
                                        0,
                                        123_456_789,
                                        21_149,
                                        1_234_567,
                                        0))
                        .toList();
        assertThat(new BenchReport(options(), rows).lines())
                .hasSize(1 + algorithms.length)
                .allMatch(line -> line.length() < 80);
    }

    private static BenchOptions options() {
        return new BenchOptions(
                "madcast",
                LabSpec.builder().hosts(2).build(),
                List.of(),
                1,
                7,
                2,
                10,
                1,
                Compilers.FIRST,
                1);
    }
}

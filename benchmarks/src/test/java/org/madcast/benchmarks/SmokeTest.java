package org.madcast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Every benchmark runs: one short iteration each, in this process. Its numbers mean nothing. */
class SmokeTest {

    @Test
    void everyBenchmarkRunsAndMeasuresSomething() throws RunnerException {
        Collection<RunResult> results =
                new Runner(
                                new OptionsBuilder()
                                        .include("org\\.madcast\\..*")
                                        .forks(0)
                                        .warmupIterations(1)
                                        .warmupTime(TimeValue.milliseconds(10))
                                        .measurementIterations(1)
                                        .measurementTime(TimeValue.milliseconds(20))
                                        .shouldFailOnError(true)
                                        .verbosity(VerboseMode.SILENT)
                                        .build())
                        .run();
        assertThat(results)
                .hasSize(15)
                .allSatisfy(result ->
                        assertThat(result.getPrimaryResult().getScore())
                                .as(result.getParams().id())
                                .isPositive());
    }
}

package org.madcast.client.report;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.madcast.client.CommunicatorConfig;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What a profile adds to a call that does nothing. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class ProfileBenchmark {

    private static final CommunicatorConfig.Builder JOB =
            CommunicatorConfig.builder("profile", 0, 4);

    private final CallRecorder off = CallRecorder.of(JOB.build());
    private final CallRecorder on =
            CallRecorder.of(JOB.profile(Path.of("target", "benchmark.profile")).build());

    /** Writes what the last events were. */
    @TearDown
    public void close() {
        on.close();
        off.close();
    }

    /** Without a profile. */
    @Benchmark
    public void off() {
        off.end(off.begin(), CallRecorder.SEND, 64, 1, 0);
    }

    /** With one. */
    @Benchmark
    public void on() {
        on.end(on.begin(), CallRecorder.SEND, 64, 1, 0);
    }
}

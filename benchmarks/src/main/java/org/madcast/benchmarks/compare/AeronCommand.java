package org.madcast.benchmarks.compare;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.madcast.agent.process.Cleanup;
import org.madcast.agent.process.TemporaryDirectory;
import org.madcast.measure.bench.Compilers;
import org.madcast.measure.bench.JvmFleet;
import org.madcast.measure.bench.MeasurementOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code compare aeron}. */
@Command(
        name = "aeron",
        mixinStandardHelpOptions = true,
        header = "Measure Aeron over UDP multicast, reliable to all members.",
        description = {
            "",
            "Every rank has a media driver of its own; the flow control 'min' with the number of"
                    + " receivers keeps the sender from leaving anybody behind.",
            "Configurations: 'default' is Aeron as it comes. 'shared/MICROSECONDS' has one thread"
                    + " for the driver, 'invoker/MICROSECONDS' none: the caller drives it while it"
                    + " waits. Both have datagrams of 1472 bytes and large buffers, and idle threads"
                    + " sleep up to so long."
        })
final class AeronCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private MeasurementOptions measurement = new MeasurementOptions();

    @Option(
            names = "--configurations",
            split = ",",
            paramLabel = "NAME",
            defaultValue = "default,shared/100,invoker/100",
            description = "With commas between (default ${DEFAULT-VALUE}).")
    private List<String> configurations = List.of();

    private static final Path MEMORY = Path.of("/dev/shm");

    @Override
    public Integer call() throws Exception {
        try (Cleanup cleanup = Cleanup.atExit(() -> {})) {
            // In memory, as Aeron wants it; a rank that is ended leaves 50 MB there.
            return run(
                    cleanup.make(
                            () -> Files.createTempDirectory(MEMORY, "madcast-aeron-"),
                            TemporaryDirectory::delete));
        }
    }

    private int run(Path drivers) throws Exception {
        JvmFleet.Program program =
                new JvmFleet.Program(
                        JvmComparison.jvmOptions(
                                Compilers.FIRST,
                                "-D" + AeronRank.DIRECTORY + "=" + drivers,
                                "--add-opens",
                                "java.base/jdk.internal.misc=ALL-UNNAMED"),
                        AeronRank.class,
                        List.of());
        return new JvmComparison("aeron", spec, measurement, program).run(configurations);
    }
}

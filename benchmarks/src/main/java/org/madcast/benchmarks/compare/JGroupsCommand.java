package org.madcast.benchmarks.compare;

import java.util.List;
import java.util.concurrent.Callable;
import org.madcast.measure.bench.Compilers;
import org.madcast.measure.bench.JvmFleet;
import org.madcast.measure.bench.MeasurementOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code compare jgroups}. */
@Command(
        name = "jgroups",
        mixinStandardHelpOptions = true,
        header = "Measure JGroups over UDP multicast, reliable to all members.",
        description = {
            "",
            "Configurations: 'default' is the stack udp.xml as JGroups ships it."
                    + " 'BUNDLER/FRAGMENT' is the same stack with that bundler (pd, transfer-queue,"
                    + " no-bundler) and messages cut at that size."
        })
final class JGroupsCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private MeasurementOptions measurement = new MeasurementOptions();

    @Option(
            names = "--configurations",
            split = ",",
            paramLabel = "NAME",
            defaultValue = "default,no-bundler/8KiB,no-bundler/60KiB",
            description = "With commas between (default ${DEFAULT-VALUE}).")
    private List<String> configurations = List.of();

    @Override
    public Integer call() throws Exception {
        JvmFleet.Program program =
                new JvmFleet.Program(
                        JvmComparison.jvmOptions(
                                Compilers.FIRST, "-Djava.net.preferIPv4Stack=true"),
                        JGroupsRank.class,
                        List.of());
        return new JvmComparison("jgroups", spec, measurement, program).run(configurations);
    }
}

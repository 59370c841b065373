package org.madcast.measure.model;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.madcast.measure.options.HostOptions;
import org.madcast.measure.options.ProcessorOptions;
import org.madcast.measure.options.RateOption;
import org.madcast.simulator.ProcessorCosts;
import org.madcast.simulator.model.CableNetwork;
import org.madcast.simulator.model.NetworkModel;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options that describe the network of a model: those of {@code madcast simulate}. */
final class ModelNetworkOptions {

    private static final int DATAGRAM_BYTES = 1472;
    private static final List<String> OF_NO_FILE =
            Stream.concat(
                            Stream.of("--rate", "--as-lab", "--processors", "--wake"),
                            HostOptions.NAMES.stream())
                    .toList();

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Mixin private RateOption rate = new RateOption();

    @Mixin private HostOptions hosts = new HostOptions();

    @Mixin private ProcessorOptions processors = new ProcessorOptions();

    @Option(
            names = "--as-lab",
            description = {
                "Cables like those of the lab, which the kernel slows down: 32 KiB pass at once, and only"
                        + " 14 bytes of a frame beside the packet count. For broadcasts."
            })
    private boolean asLab;

    @Option(
            names = "--from",
            paramLabel = "FILE",
            description =
                    "A network as 'madcast loggp --json' measured it, instead of the options above.")
    private @Nullable Path measured;

    ModelNetworkOptions() {}

    /**
     * The network.
     *
     * @throws IllegalArgumentException naming the option or the file that is wrong
     */
    NetworkModel network() {
        if (measured != null) {
            for (String option : OF_NO_FILE) {
                if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
                    throw new IllegalArgumentException(
                            "--from names a file that says this: leave out " + option);
                }
            }
            return LogGpFile.read(measured, DATAGRAM_BYTES);
        }
        ProcessorCosts costs = processors.costs(hosts);
        return asLab
                ? CableNetwork.asLab(rate.bits(), hosts.delayNs(), costs)
                : new CableNetwork(rate.bits(), hosts.delayNs(), costs);
    }

    /** Refuses what is known for broadcasts only. */
    void refuseBursts() {
        if (asLab) {
            throw new IllegalArgumentException("--as-lab is for --collective bcast");
        }
    }

    /** The network in words. */
    String describe() {
        return measured != null
                ? "network: as measured in " + measured.getFileName()
                : "network: "
                        + rate.text()
                        + " a link"
                        + (asLab ? " as in the lab, " : ", ")
                        + hosts.describe()
                        + processors.describe();
    }
}

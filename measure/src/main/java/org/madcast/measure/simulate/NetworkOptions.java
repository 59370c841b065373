package org.madcast.measure.simulate;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.terminal.Units;
import org.madcast.client.topology.SwitchTree;
import org.madcast.client.topology.TreeFile;
import org.madcast.lab.LinkRate;
import org.madcast.measure.options.HostOptions;
import org.madcast.measure.options.ProcessorOptions;
import org.madcast.measure.options.RateOption;
import org.madcast.simulator.CableModel;
import org.madcast.simulator.JobNetwork;
import org.madcast.simulator.ProcessorCosts;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options that describe a simulated network and its hosts. */
final class NetworkOptions {

    static final int STANDARD_RANKS = 16;

    private static final List<String> OF_NO_FILE = List.of("--rate", "--switches", "--trunk");

    /** What the lab's shapers let wait. */
    private static final long LAB_QUEUE_BYTES = 3L << 20;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Mixin private RateOption rate = new RateOption();

    @Option(
            names = "--switches",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "How many switches, joined into a binary tree; the ranks are dealt to them in"
                            + " blocks, as in the lab (default ${DEFAULT-VALUE}).")
    private int switches;

    @Option(
            names = "--trunk",
            paramLabel = "RATE",
            description = "The rate of a cable between switches, or none (default that of a link).")
    private @Nullable String trunk;

    @Option(
            names = "--topology",
            paramLabel = "FILE",
            description = {
                "Hosts, switches and cables from this file instead, with their rates; see"
                        + " docs/TOPOLOGY.md."
            })
    private @Nullable Path topology;

    @Option(
            names = "--cut-through",
            description =
                    "Switches pass datagrams on before they have all of them, instead of storing"
                            + " them.")
    private boolean cutThrough;

    @Mixin private HostOptions hosts = new HostOptions();

    @Option(
            names = "--queue",
            paramLabel = "SIZE",
            defaultValue = "512KiB",
            description =
                    "What a port of a switch holds back before it drops (default ${DEFAULT-VALUE}).")
    private String queue = "";

    @Option(
            names = "--as-lab",
            description = {
                "Cables like those of the lab, which the kernel slows down: 32 KiB pass at once, queues"
                        + " of 3 MiB, and only 14 bytes of a frame beside the packet count."
            })
    private boolean asLab;

    @Mixin private ProcessorOptions processors = new ProcessorOptions();

    NetworkOptions() {}

    /** The rate of a link in its shortest form, or none. */
    String rate() {
        if (topology != null) {
            return "its own rate";
        }
        return rate.limit().map(LinkRate::toString).orElse("none");
    }

    /** The network in words. */
    String describe() {
        String cables =
                "cables of "
                        + hosts.delayUs()
                        + " us"
                        + (asLab ? " as in the lab" : "")
                        + processors.describe();
        if (topology != null) {
            return "topology " + topology.getFileName() + ", " + cables;
        }
        if (switches == 1) {
            return "one switch, " + cables;
        }
        return "%d switches, trunks of %s, %s"
                .formatted(switches, trunk().map(LinkRate::toString).orElse("no limit"), cables);
    }

    private Optional<LinkRate> trunk() {
        return trunk == null ? rate.limit() : RateOption.limit("--trunk", trunk);
    }

    /**
     * The network with so many hosts.
     *
     * @param wanted how many; null when the user did not say it
     * @param dropsNothing whether the ports of switches hold back whatever comes
     * @throws IllegalArgumentException naming the option, or the line of the file, that is wrong
     */
    JobNetwork network(@Nullable Integer wanted, boolean dropsNothing) {
        long queueBytes = dropsNothing ? 0 : queueBytes();
        CableModel cables = new CableModel(hosts.delayNs(), queueBytes, asLab);
        if (topology != null) {
            return ofFile(topology, wanted == null ? 0 : wanted, cables);
        }
        int ranks = wanted == null ? STANDARD_RANKS : wanted;
        if (switches < 1 || switches > ranks) {
            throw new IllegalArgumentException(
                    "--switches must be 1 to the number of ranks, " + ranks + ", not " + switches);
        }
        return JobNetwork.uniform(
                ranks, rate.bits(), switches, RateOption.bits(trunk()), cutThrough, cables);
    }

    private JobNetwork ofFile(Path file, int ranks, CableModel cables) {
        refuse(OF_NO_FILE, "--topology names a file that says this");
        if (!Files.isReadable(file)) {
            throw new CommandFailure(
                    ExitCode.NO_INPUT, file + " cannot be read; name another with --topology");
        }
        SwitchTree tree;
        try {
            tree = TreeFile.read(file);
        } catch (IllegalArgumentException wrong) {
            throw new CommandFailure(ExitCode.NO_INPUT, String.valueOf(wrong.getMessage()), wrong);
        }
        try {
            return JobNetwork.of(tree, ranks, cutThrough, cables);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
        }
    }

    /**
     * Refuses options that mean nothing where another is given.
     *
     * @param why the other one and the reason
     */
    void refuse(List<String> options, String why) {
        for (String option : options) {
            if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
                throw new IllegalArgumentException(why + ": leave out " + option);
            }
        }
    }

    /** Takes the lab's cables, this rate, and this number of processors for all hosts. */
    void takeLab(String itsRate, int itsProcessors) {
        asLab = true;
        rate.set(itsRate);
        processors.take(itsProcessors);
    }

    private long queueBytes() {
        return asLab ? LAB_QUEUE_BYTES : Units.sizeBytes(queue);
    }

    /** What the hosts' processors spend. */
    ProcessorCosts costs() {
        return processors.costs(hosts);
    }
}

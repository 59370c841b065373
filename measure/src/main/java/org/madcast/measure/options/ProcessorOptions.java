package org.madcast.measure.options;

import org.jspecify.annotations.Nullable;
import org.madcast.agent.Range;
import org.madcast.simulator.JobSettings;
import org.madcast.simulator.ProcessorCosts;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Processors that all hosts share, as those of a lab do. */
public final class ProcessorOptions {

    /** A call's overhead where to wake up counts apart. */
    private static final long AWAKE_NS = 5_000;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--processors",
            paramLabel = "N",
            description =
                    "How many processors all hosts share, as those of a lab do: each waits for its turn"
                            + " (default: each has its own). A call's --overhead is then 5 unless it is"
                            + " given: to wake up counts apart.")
    @Range(from = 1, to = JobSettings.MOST_RANKS)
    private @Nullable Integer processors;

    @Option(
            names = "--wake",
            paramLabel = "US",
            defaultValue = "20",
            description =
                    "Microseconds until a host runs on a processor that it shares (default"
                            + " ${DEFAULT-VALUE}).")
    private double wake;

    /** Takes this number. */
    public void take(int number) {
        processors = number;
    }

    /** In words, behind those of the cables; empty where each host has its own. */
    public String describe() {
        return processors == null ? "" : ", processors: " + processors;
    }

    /**
     * What the hosts' processors spend.
     *
     * @throws IllegalArgumentException naming the option that is wrong
     */
    public ProcessorCosts costs(HostOptions hosts) {
        long wakeNs = HostOptions.nanoseconds("--wake", wake, HostOptions.US);
        if (processors == null) {
            return hosts.costs();
        }
        boolean given = spec.commandLine().getParseResult().hasMatchedOption("--overhead");
        ProcessorCosts costs = given ? hosts.costs() : hosts.costs().withOverhead(AWAKE_NS);
        return costs.onShared(processors, wakeNs);
    }
}

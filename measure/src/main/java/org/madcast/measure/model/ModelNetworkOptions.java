package org.madcast.measure.model;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.madcast.lab.LinkRate;
import org.madcast.simulator.ProcessorCosts;
import org.madcast.simulator.model.CableNetwork;
import org.madcast.simulator.model.NetworkModel;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options that describe the network of a model: those of {@code madcast simulate}. */
final class ModelNetworkOptions {

    private static final double US = 1e3;
    private static final int DATAGRAM_BYTES = 1472;
    private static final List<String> OF_NO_FILE =
            List.of("--rate", "--delay", "--overhead", "--gap", "--gap-per-byte");

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            defaultValue = "100mbit",
            description = "The rate of a link, such as 1gbit, or none (default ${DEFAULT-VALUE}).")
    private String rate = "";

    @Option(
            names = "--delay",
            paramLabel = "US",
            defaultValue = "5",
            description = "Microseconds over each cable (default ${DEFAULT-VALUE}).")
    private double delay;

    @Option(
            names = "--overhead",
            paramLabel = "US",
            defaultValue = "20",
            description =
                    "o: microseconds of a processor before a call begins, and before it returns"
                            + " (default ${DEFAULT-VALUE}).")
    private double overhead;

    @Option(
            names = "--gap",
            paramLabel = "US",
            defaultValue = "4.7",
            description =
                    "g: microseconds of a processor for each datagram (default ${DEFAULT-VALUE}).")
    private double gap;

    @Option(
            names = "--gap-per-byte",
            paramLabel = "NS",
            defaultValue = "0.5",
            description = "G: nanoseconds of a processor for each byte (default ${DEFAULT-VALUE}).")
    private double gapPerByte;

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
                            "--from names a file that tells this: leave out " + option);
                }
            }
            return LogGpFile.read(measured, DATAGRAM_BYTES);
        }
        if (!(gapPerByte >= 0 && gapPerByte <= 1e6)) {
            throw new IllegalArgumentException(
                    "--gap-per-byte must be 0 to 1000000, not " + gapPerByte);
        }
        ProcessorCosts costs =
                new ProcessorCosts(
                        nanoseconds("--overhead", overhead), nanoseconds("--gap", gap), gapPerByte);
        return new CableNetwork(bitsPerSecond(), nanoseconds("--delay", delay), costs);
    }

    private long bitsPerSecond() {
        try {
            return LinkRate.parseLimit(rate).map(LinkRate::bitsPerSecond).orElse(0L);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--rate: " + e.getMessage(), e);
        }
    }

    private static long nanoseconds(String option, double us) {
        if (!(us >= 0 && us <= 1e9)) {
            throw new IllegalArgumentException(
                    option + " must be 0 to 1000000000 microseconds, not " + us);
        }
        return Math.round(us * US);
    }

    /** The network in words. */
    String describe() {
        return measured != null
                ? "network: as measured in " + measured.getFileName()
                : String.format(
                        Locale.ROOT,
                        "network: %s a link, delay %s us, o %s us, g %s us, G %s ns",
                        rate,
                        delay,
                        overhead,
                        gap,
                        gapPerByte);
    }
}

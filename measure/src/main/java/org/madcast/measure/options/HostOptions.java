package org.madcast.measure.options;

import java.util.List;
import java.util.Locale;
import org.madcast.agent.Range;
import org.madcast.simulator.ProcessorCosts;
import picocli.CommandLine.Option;

/** What the cables and the processors of hosts cost that are simulated or computed. */
public final class HostOptions {

    /** Their names. */
    public static final List<String> NAMES =
            List.of("--delay", "--overhead", "--gap", "--gap-per-byte");

    /** A microsecond in nanoseconds. */
    public static final double US = 1e3;

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
                    "o: microseconds of a host's processor before a call begins, and before it"
                            + " returns (default ${DEFAULT-VALUE}).")
    private double overhead;

    @Option(
            names = "--gap",
            paramLabel = "US",
            defaultValue = "4.7",
            description =
                    "g: microseconds of a host's processor for each datagram (default"
                            + " ${DEFAULT-VALUE}).")
    private double gap;

    @Option(
            names = "--gap-per-byte",
            paramLabel = "NS",
            defaultValue = "0.5",
            description =
                    "G: nanoseconds of a host's processor for each byte of a datagram (default"
                            + " ${DEFAULT-VALUE}).")
    @Range(from = 0, to = 1_000_000)
    private double gapPerByte;

    /** Over a cable, in microseconds as the user wrote it. */
    public double delayUs() {
        return delay;
    }

    /**
     * Over a cable.
     *
     * @throws IllegalArgumentException naming the option
     */
    public long delayNs() {
        return nanoseconds("--delay", delay, US);
    }

    /**
     * What a processor spends.
     *
     * @throws IllegalArgumentException naming the option
     */
    public ProcessorCosts costs() {
        long overheadNs = nanoseconds("--overhead", overhead, US);
        return new ProcessorCosts(overheadNs, nanoseconds("--gap", gap, US), gapPerByte);
    }

    /** All of them in words. */
    public String describe() {
        return String.format(
                Locale.ROOT,
                "delay %s us, o %s us, g %s us, G %s ns",
                delay,
                overhead,
                gap,
                gapPerByte);
    }

    /**
     * An option's time in nanoseconds: at most an hour.
     *
     * @throws IllegalArgumentException naming the option
     */
    public static long nanoseconds(String option, double value, double unitNs) {
        if (!(value >= 0 && value * unitNs <= 3.6e12)) {
            throw new IllegalArgumentException(
                    option + " must be 0 or more, and at most an hour, not " + value);
        }
        return Math.round(value * unitNs);
    }
}

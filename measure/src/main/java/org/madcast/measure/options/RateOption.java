package org.madcast.measure.options;

import java.util.Optional;
import org.madcast.lab.LinkRate;
import picocli.CommandLine.Option;

/** How fast links are. */
public final class RateOption {

    private static final String NAME = "--rate";

    @Option(
            names = NAME,
            paramLabel = "RATE",
            defaultValue = "100mbit",
            description = "The rate of a link, such as 1gbit, or none (default ${DEFAULT-VALUE}).")
    private String rate = "";

    /** Takes another rate than the user's. */
    public void set(String other) {
        rate = other;
    }

    /** As it was written. */
    public String text() {
        return rate;
    }

    /**
     * The rate; empty for no limit.
     *
     * @throws IllegalArgumentException naming the option
     */
    public Optional<LinkRate> limit() {
        return limit(NAME, rate);
    }

    /** In bits per second; 0 for no limit. */
    public long bits() {
        return bits(limit());
    }

    /** The same of a rate. */
    public static long bits(Optional<LinkRate> rate) {
        return rate.map(LinkRate::bitsPerSecond).orElse(0L);
    }

    /** Reads another option's rate. */
    public static Optional<LinkRate> limit(String option, String text) {
        try {
            return LinkRate.parseLimit(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(option + ": " + e.getMessage(), e);
        }
    }
}

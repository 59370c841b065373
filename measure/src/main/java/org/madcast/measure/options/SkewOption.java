package org.madcast.measure.options;

import picocli.CommandLine.Option;

/** How far apart ranks call. */
public final class SkewOption {

    @Option(
            names = "--skew",
            paramLabel = "MS",
            defaultValue = "0",
            description =
                    "Each rank calls by up to so many milliseconds later than the root (default"
                            + " ${DEFAULT-VALUE}).")
    private double skew;

    /**
     * In nanoseconds.
     *
     * @throws IllegalArgumentException naming the option
     */
    public long ns() {
        return HostOptions.nanoseconds("--skew", skew, 1e6);
    }
}

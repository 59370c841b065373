package org.madcast.measure.options;

import java.util.List;
import picocli.CommandLine.Option;

/** Which algorithms broadcast. */
public final class AlgorithmsOption {

    /** Its name. */
    public static final String NAME = "--algorithms";

    @Option(
            names = {NAME, "--algorithm"},
            split = ",",
            paramLabel = "NAME",
            defaultValue = "once,ipmc,chain,linear,binomial",
            description = "Algorithms, separated by commas (default ${DEFAULT-VALUE}).")
    private List<String> algorithms = List.of();

    /** Takes others than the user's. */
    public void set(List<String> names) {
        algorithms = names;
    }

    /** As they were written. */
    public List<String> names() {
        return algorithms;
    }
}

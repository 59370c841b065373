package org.madcast.measure.options;

import org.madcast.agent.Range;
import picocli.CommandLine.Option;

/** How much is lost. */
public final class LossOption {

    @Option(
            names = "--loss",
            paramLabel = "PERCENT",
            defaultValue = "0",
            description =
                    "Percentage of arriving datagrams that each host loses (default"
                            + " ${DEFAULT-VALUE}).")
    @Range(from = 0, to = 100, below = true)
    private double loss;

    /** Takes another loss than the user's. */
    public void set(double percent) {
        loss = percent;
    }

    /** From 0 to less than 100. */
    public double percent() {
        return loss;
    }
}

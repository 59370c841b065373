package org.madcast.client.collective;

import org.madcast.client.Algorithm;
import org.madcast.client.BroadcastParameters;

/**
 * Which algorithm serves a call: what the call or the parameters name, else {@code once}; without
 * working multicast a unicast one. {@code ipmc} brings Siebert's own decision (seed 000, section
 * 3.5): linear below {@code crossover_nodes} ranks, chain above {@code crossover_size} bytes. Pure,
 * and the same on every rank, because all of them know the same.
 */
public final class AlgorithmChoice {

    private final BroadcastParameters parameters;
    private final int size;

    /** For the communicators of this many ranks with these parameters. */
    public AlgorithmChoice(BroadcastParameters parameters, int size) {
        this.parameters = parameters;
        this.size = size;
    }

    /** What is used when a call names no algorithm. */
    public Algorithm byDefault(long messageBytes, boolean multicastWorks) {
        Algorithm wanted =
                parameters
                        .algorithm()
                        .orElse(parameters.prefersMulticast() ? Algorithm.ONCE : Algorithm.CHAIN);
        return wanted == Algorithm.IPMC
                ? siebert(messageBytes, multicastWorks)
                : possible(wanted, multicastWorks);
    }

    /** What is used when a call names an algorithm: it, unless it needs what does not work. */
    public Algorithm possible(Algorithm wanted, boolean multicastWorks) {
        return wanted.usesMulticast() && !multicastWorks ? Algorithm.CHAIN : wanted;
    }

    private Algorithm siebert(long messageBytes, boolean multicastWorks) {
        if (size < parameters.crossoverNodes()) {
            return Algorithm.LINEAR;
        }
        return messageBytes > parameters.crossoverSizeBytes()
                ? Algorithm.CHAIN
                : possible(Algorithm.IPMC, multicastWorks);
    }
}

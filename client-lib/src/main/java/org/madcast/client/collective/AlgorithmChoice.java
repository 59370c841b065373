package org.madcast.client.collective;

import org.jspecify.annotations.Nullable;
import org.madcast.client.Algorithm;
import org.madcast.client.AlgorithmSelection;
import org.madcast.client.BroadcastParameters;
import org.madcast.client.protocol.WantedAlgorithm;

/**
 * Which algorithm serves a call, and why: what the call or the parameters name, else what the
 * {@link SelectionTable} says; without working multicast a unicast one. {@code ipmc} brings
 * Siebert's own decision (seed 000, section 3.5): the chain above {@code crossover_size} bytes,
 * else linear below {@code crossover_nodes} ranks. Pure, and the same on every rank, because all of
 * them know the same.
 */
public final class AlgorithmChoice {

    private final BroadcastParameters parameters;
    private final @Nullable Algorithm standard;
    private final boolean prefersMulticast;
    private final SelectionTable table;
    private final int size;

    /** For the communicators of this many ranks with these parameters. */
    public AlgorithmChoice(BroadcastParameters parameters, SelectionTable table, int size) {
        this.parameters = parameters;
        this.standard = parameters.algorithm().orElse(null);
        this.prefersMulticast = parameters.prefersMulticast();
        this.size = size;
        this.table = table;
    }

    /** Whether the parts of a collective call are broadcast; the parameters decide. */
    public boolean partsByMulticast(boolean onManyHosts) {
        boolean allowed = standard == null ? prefersMulticast : standard.usesMulticast();
        long fromBytes = parameters.partMulticastBytes();
        return allowed && fromBytes >= 0 && (onManyHosts || fromBytes == 0);
    }

    /**
     * What serves a call.
     *
     * @param named what the call names, or null
     */
    public Algorithm algorithm(
            @Nullable Algorithm named, long messageBytes, boolean multicastWorks) {
        AlgorithmSelection selection =
                named == null
                        ? byDefault(messageBytes, multicastWorks)
                        : possible(named, messageBytes, multicastWorks);
        return selection.algorithm();
    }

    /**
     * A parameter of the engine: what multicast does can change between one rank's call and
     * another's.
     *
     * @param algorithm what {@link #algorithm} said
     * @param named what the call names, or null
     */
    public int code(Algorithm algorithm, @Nullable Algorithm named, long messageBytes) {
        return named == null || named != algorithm
                ? WantedAlgorithm.any(algorithm.code())
                : WantedAlgorithm.named(algorithm.code(), instead(algorithm, messageBytes).code());
    }

    /** What is used when a call names no algorithm. */
    public AlgorithmSelection byDefault(long messageBytes, boolean multicastWorks) {
        if (standard == Algorithm.IPMC) {
            return siebert(messageBytes, multicastWorks);
        }
        if (standard != null) {
            return possible(
                    new AlgorithmSelection(standard, "the parameter 'algorithm' names it"),
                    messageBytes,
                    multicastWorks);
        }
        if (!prefersMulticast) {
            AlgorithmSelection unicast = table.select(false, size, messageBytes);
            return new AlgorithmSelection(
                    unicast.algorithm(), "priority 0 means no multicast; " + unicast.reason());
        }
        return table.select(multicastWorks, size, messageBytes);
    }

    /** What is used when a call names an algorithm: it, unless it needs what does not work. */
    public AlgorithmSelection possible(
            Algorithm wanted, long messageBytes, boolean multicastWorks) {
        return possible(
                new AlgorithmSelection(wanted, "the call names it"), messageBytes, multicastWorks);
    }

    /** What is used instead of an algorithm that needs multicast when that does not work. */
    private Algorithm instead(Algorithm wanted, long messageBytes) {
        return wanted.usesMulticast()
                ? table.select(false, size, messageBytes).algorithm()
                : wanted;
    }

    private AlgorithmSelection possible(
            AlgorithmSelection wanted, long messageBytes, boolean multicastWorks) {
        if (!wanted.algorithm().usesMulticast() || multicastWorks) {
            return wanted;
        }
        AlgorithmSelection instead = table.select(false, size, messageBytes);
        return new AlgorithmSelection(
                instead.algorithm(),
                wanted.algorithm().label()
                        + " needs multicast, which does not work; "
                        + instead.reason());
    }

    private AlgorithmSelection siebert(long messageBytes, boolean multicastWorks) {
        if (messageBytes > parameters.crossoverSizeBytes()) {
            return new AlgorithmSelection(
                    Algorithm.CHAIN, "ipmc, but the message is longer than crossover_size");
        }
        if (size < parameters.crossoverNodes()) {
            return new AlgorithmSelection(
                    Algorithm.LINEAR, "ipmc, but there are fewer ranks than crossover_nodes");
        }
        return multicastWorks
                ? new AlgorithmSelection(Algorithm.IPMC, "the parameter 'algorithm' names it")
                : new AlgorithmSelection(
                        Algorithm.CHAIN, "ipmc needs multicast, which does not work");
    }
}

package org.madcast.measure.loggp;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Which fragment size and crossover suit a network, by the models of the seeds. Decides only.
 *
 * <p><b>Fragment size.</b> A message of M bytes in X = M / m fragments passes a chain of P ranks in
 * (P - 1)(L(m) + g(m)) + (X - 1) g(m) (seed 001, section 4.2, formula 1), where L(m) + g(m) is half
 * of the round trip. Of the powers of two, the one that makes it least.
 *
 * <p><b>Crossover.</b> Siebert's broadcast sends everything once by multicast, X g(m), and in its
 * second stage each rank passes on what another lacks, at worst everything, X g(m) again. The chain
 * instead spends (P - 1)(L(m) + g(m)) until the last rank has the first fragment. From the size on
 * at which the second stage costs more than that, the chain is the safer choice: X = (P - 1)(L(m) +
 * g(m)) / g(m).
 *
 * @param ranks for how many
 * @param fragmentBytes the fragment size for messages of 1 MiB
 * @param chainNs how long the chain takes for them
 * @param crossoverBytes above which size the chain is preferred to {@code ipmc}
 */
record Advice(int ranks, int fragmentBytes, double chainNs, int crossoverBytes) {

    private static final int MESSAGE_BYTES = 1 << 20;
    private static final List<Integer> FRAGMENTS =
            IntStream.rangeClosed(8, 15).mapToObj(power -> 1 << power).toList();

    /**
     * For this number of ranks; empty where no size that was measured makes sense, as one whose
     * protocol's larger messages took less time than its smaller ones does not.
     */
    static Optional<Advice> of(LogGp network, int ranks) {
        int largest = network.protocols().getLast().toBytes();
        return FRAGMENTS.stream()
                .filter(size -> size <= largest && network.isPlausible(size))
                .min(Comparator.comparingDouble(size -> chainNs(network, ranks, size)))
                .map(fragment ->
                        new Advice(
                                ranks,
                                fragment,
                                chainNs(network, ranks, fragment),
                                crossover(network, ranks, fragment)));
    }

    /** Formula 1 of seed 001 for a message of 1 MiB. */
    static double chainNs(LogGp network, int ranks, int fragmentBytes) {
        double gap = network.gapNs(fragmentBytes);
        double first = (ranks - 1) * (network.latencyNs() + gap);
        return first + ((double) MESSAGE_BYTES / fragmentBytes - 1) * gap;
    }

    private static int crossover(LogGp network, int ranks, int fragmentBytes) {
        double gap = network.gapNs(fragmentBytes);
        double fragments = (ranks - 1) * (network.latencyNs() + gap) / gap;
        return (int) Math.min(Integer.MAX_VALUE, Math.ceil(fragments) * fragmentBytes);
    }
}

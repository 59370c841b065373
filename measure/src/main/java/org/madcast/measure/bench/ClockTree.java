package org.madcast.measure.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * Which ranks compare their clocks with which, in the rounds of seed 004, section IV.2.4.2: with t
 * the largest power of two below the number of ranks, ranks 0 to t - 1 along a binomial tree with
 * rank 0 at its root, then each of the others with the rank that is t less. The pairs of a round
 * have no rank in common, so they work beside each other.
 *
 * <p>Example: of 7 ranks 0-1 and 2-3, then 0-2, then 0-4, 1-5 and 2-6.
 */
final class ClockTree {

    /** A rank that asks, and one whose clock it compares with its own. */
    record Pair(int client, int server) {}

    private ClockTree() {}

    /** All rounds. */
    static List<List<Pair>> rounds(int ranks) {
        List<List<Pair>> rounds = new ArrayList<>();
        int power = Math.max(1, Integer.highestOneBit(ranks - 1));
        for (int step = 1; step < power; step *= 2) {
            List<Pair> round = new ArrayList<>();
            for (int client = 0; client < power; client += 2 * step) {
                round.add(new Pair(client, client + step));
            }
            rounds.add(round);
        }
        List<Pair> last = new ArrayList<>();
        for (int server = power; server < ranks; server++) {
            last.add(new Pair(server - power, server));
        }
        rounds.add(last);
        return rounds;
    }

    /** The rank that compares this one's clock with its own; rank 0 has none. */
    static int clientOf(int server, int ranks) {
        int power = Math.max(1, Integer.highestOneBit(ranks - 1));
        return server >= power ? server - power : server & (server - 1);
    }
}

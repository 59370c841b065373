package org.madcast.client.schedule;

/**
 * Makes a power of two of ranks, the core, out of any number of them: of the first 2r ranks each
 * even one gives its input to the odd one above it, which takes part for both.
 */
final class Fold {
    final int core;
    final int number;
    private final int extra;
    private final int rank;

    Fold(int size, int rank) {
        this.core = Integer.highestOneBit(size);
        this.extra = size - core;
        this.rank = rank;
        this.number = rank < 2 * extra && rank % 2 == 0 ? -1 : numberFor(rank);
    }

    /** The number in the core of the rank that takes part for a rank: itself, or the one above. */
    int numberFor(int anyRank) {
        return anyRank < 2 * extra ? anyRank / 2 : anyRank - extra;
    }

    /** Whether this rank takes part for the one below it too. */
    boolean standsForTwo() {
        return takesPart() && rank < 2 * extra;
    }

    /** Whether this rank is of the core. */
    boolean takesPart() {
        return number >= 0;
    }

    /** The rank that has a number of the core. */
    int rankOf(int coreNumber) {
        return coreNumber < extra ? 2 * coreNumber + 1 : coreNumber + extra;
    }

    /** The even ranks give what they have to the odd ones, which combine it. */
    void begin(Schedule.Builder out, Slice result, Slice arrived) {
        if (rank >= 2 * extra) {
            return;
        }
        if (takesPart()) {
            out.receive(rank - 1, arrived).round().combine(arrived, result, true);
        } else {
            out.send(rank + 1, result).round();
        }
    }

    /** The odd ranks give the even ones the result. */
    void end(Schedule.Builder out, Slice result) {
        if (rank < 2 * extra) {
            if (takesPart()) {
                out.send(rank - 1, result);
            } else {
                out.receive(rank + 1, result);
            }
        }
    }
}

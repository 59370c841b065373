package org.madcast.measure.loggp;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * LogfP, the model of seed 004 for small messages, section II.2.3: the first f messages to
 * different nodes cost no gap. Its parameters come from 1:n n:1, in which one node sends a message
 * to each of n others and each answers.
 *
 * @param latencyNs L, without what the processors spend
 * @param leastOverheadNs o_min, of a message among many
 * @param moreOverheadNs o_max, what the first one takes more: o(n) = o_min + o_max / n
 * @param gapNs g, of each message after the first f
 * @param free f, the n for which a message takes least
 * @param fans what was measured, from n = 1 on
 */
record LogFp(
        double latencyNs,
        double leastOverheadNs,
        double moreOverheadNs,
        double gapNs,
        int free,
        List<Fan> fans) {

    /**
     * 1:n n:1.
     *
     * @param nodes n
     * @param roundTripNs until the last answer
     * @param overheadNs o(n), until the last message was handed to the system, for each of them
     * @param multicastNs until the last answer to one multicast; NaN where that does not work
     */
    record Fan(int nodes, double roundTripNs, double overheadNs, double multicastNs) {

        double perMessageNs() {
            return roundTripNs / nodes;
        }
    }

    /** From the measurements of 1, 2, ... nodes; one node is too few. */
    static Optional<LogFp> of(List<Fan> fans) {
        if (fans.size() < 2) {
            return Optional.empty();
        }
        Fan one = fans.getFirst();
        Fan most = fans.getLast();
        double leastOverheadNs = Math.min(most.overheadNs(), one.overheadNs());
        double moreOverheadNs = one.overheadNs() - leastOverheadNs;
        int free =
                fans.stream()
                        .min(Comparator.comparingDouble(Fan::perMessageNs))
                        .map(Fan::nodes)
                        .orElse(1);
        return Optional.of(
                new LogFp(
                        Math.max(0, one.roundTripNs() / 2 - leastOverheadNs - moreOverheadNs),
                        leastOverheadNs,
                        moreOverheadNs,
                        most.perMessageNs(),
                        free,
                        fans));
    }

    /** Whether a message among still more nodes might take still less. */
    boolean isFreeAtTheEnd() {
        return free == fans.getLast().nodes();
    }

    private double overheadNs(int nodes) {
        return leastOverheadNs + moreOverheadNs / nodes;
    }

    /** The round trip as the model has it, formulas II.3 and II.4. */
    double roundTripNs(int nodes) {
        double twoWaysNs = 2 * latencyNs + overheadNs(1);
        if (nodes <= free) {
            return twoWaysNs + nodes * overheadNs(nodes);
        }
        return twoWaysNs
                + overheadNs(nodes)
                + Math.max((nodes - 1) * overheadNs(nodes), (nodes - free) * gapNs);
    }
}

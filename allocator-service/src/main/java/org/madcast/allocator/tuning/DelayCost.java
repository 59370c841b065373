package org.madcast.allocator.tuning;

import java.util.List;
import java.util.Map;

/**
 * What a call costs when the root waits for a delay d after it called. A receiver that calls a
 * nanoseconds after the root waits until the data comes, {@code max(0, d - a)}; when it calls after
 * the data (a &gt; d), what it missed costs it the repair time R; the root itself waits d. Mean
 * over all ranks:
 *
 * <pre>cost(d) = (sum of w(a) (max(0, d - a) + (a > d ? R : 0)) + w(root) d) / (sum of w + w(root))
 * </pre>
 *
 * The time on the wire is the same for every d and left out. With R = 0, where receivers buffer,
 * the cost grows with d: the best delay is none. Otherwise the best one is 0 or one of the
 * arrivals, since between two arrivals the cost only grows.
 *
 * <p>Example: root and four receivers that call 1, 1, 2 and 9 ms after it, R = 5 ms. d = 0 costs 4
 * x 5 / 5 = 4 ms; d = 2 costs (1 + 1 + 0 + 5 + 2) / 5 = 1.8 ms; d = 9 costs (8 + 8 + 7 + 0 + 9) / 5
 * = 6.4 ms. Best is 2 ms: three are served at once, the fourth is cheaper to repair than to wait
 * for.
 */
final class DelayCost {

    private final List<Map.Entry<Long, Double>> arrivals;
    private final double repairNs;
    private final double rootWeight;
    private final double weight;

    DelayCost(List<Map.Entry<Long, Double>> arrivals, double repairNs, double rootWeight) {
        this.arrivals = arrivals;
        this.repairNs = repairNs;
        this.rootWeight = rootWeight;
        this.weight = arrivals.stream().mapToDouble(Map.Entry::getValue).sum() + rootWeight;
    }

    /** The mean over all ranks, in nanoseconds. */
    double of(long delayNs) {
        double sum = rootWeight * delayNs;
        for (Map.Entry<Long, Double> arrival : arrivals) {
            double waitNs = Math.max(0, delayNs - arrival.getKey());
            sum += arrival.getValue() * (arrival.getKey() > delayNs ? repairNs : waitNs);
        }
        return weight == 0 ? 0 : sum / weight;
    }

    /**
     * What a delay costs if it spares no repair: the mean over all ranks. A receiver that called at
     * a has the message when it has called and the data have come, so at max(a, d + T) where T is
     * the time on the wire.
     */
    double inVainNs(long delayNs, double wireNs) {
        double sum = rootWeight * delayNs;
        for (Map.Entry<Long, Double> arrival : arrivals) {
            double calledNs = arrival.getKey();
            double laterNs = Math.max(calledNs, delayNs + wireNs) - Math.max(calledNs, wireNs);
            sum += arrival.getValue() * laterNs;
        }
        return weight == 0 ? 0 : sum / weight;
    }

    /** The delay up to the ceiling that costs least; the shortest of equals. */
    long best(long ceilingNs) {
        long best = 0;
        double leastNs = of(0);
        for (Map.Entry<Long, Double> arrival : arrivals) {
            long delayNs = arrival.getKey();
            if (delayNs > 0 && delayNs <= ceilingNs) {
                double costNs = of(delayNs);
                if (costNs < leastNs) {
                    leastNs = costNs;
                    best = delayNs;
                }
            }
        }
        return best;
    }
}

package org.madcast.agent.probe;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.madcast.agent.probe.ProbeResult.RateStep;

/**
 * Decides which rates are tried. They rise as long as the sender hears itself: a slow receiver
 * shows only above its own rate. Whether the network carries a rate is asked of the receivers
 * alone.
 *
 * <p>A processor that was busy for a second is not the network: a rate that failed is tried again,
 * but where nothing arrived at all, or a lower one has failed for good, once is enough. Nor is one
 * datagram a share of loss: where some are missing at the highest rate that is carried, it is tried
 * again, and its trials count together. For one thread.
 */
final class RateSteps {

    static final int TRIALS = 6;

    private static final double HEARS_ITSELF = 0.8;
    private static final List<Integer> MEGABITS =
            List.of(2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000);

    private final long mostBitsPerSecond;
    private final List<RateStep> tried = new ArrayList<>();

    /** Of the rate that is being tried. */
    private final List<RateStep> trials = new ArrayList<>();

    private boolean oneFailed;
    private boolean rises = true;

    /** Up to this rate; the lowest one is tried in any case. */
    RateSteps(long mostBitsPerSecond) {
        this.mostBitsPerSecond = mostBitsPerSecond;
    }

    /** What is to be tried next, in bits a second; 0 when enough is known. */
    long next() {
        if (rises && !trials.isEmpty() && !failedByChance(trials.getLast())) {
            endRung();
        }
        if (rises) {
            return rung(tried.size());
        }
        return !trials.isEmpty() && trials.size() < TRIALS ? lossyRate() : 0;
    }

    private static long rung(int number) {
        return MEGABITS.get(number) * 1_000_000L;
    }

    private boolean failedByChance(RateStep step) {
        return !step.isCarried()
                && step.bestBitsPerSecond() > 0
                && !oneFailed
                && trials.size() < TRIALS;
    }

    private void endRung() {
        RateStep last = trials.getLast();
        tried.add(last);
        oneFailed |= !last.isCarried();
        rises =
                tried.size() < MEGABITS.size()
                        && rung(tried.size()) <= mostBitsPerSecond
                        && Collections.max(last.arrived())
                                > HEARS_ITSELF * last.offeredBitsPerSecond();
        trials.clear();
        if (!rises && highestCarried() >= 0) {
            trials.add(tried.get(highestCarried()));
        }
    }

    /** The highest one in the list that was carried, or -1. */
    private int highestCarried() {
        return IntStream.range(0, tried.size())
                .filter(i -> tried.get(i).isCarried())
                .max()
                .orElse(-1);
    }

    private long lossyRate() {
        RateStep highest = tried.get(highestCarried());
        return Diagnosis.losesSome(highest) ? highest.offeredBitsPerSecond() : 0;
    }

    /** What came of it. */
    void add(RateStep step) {
        trials.add(step);
        if (!rises) {
            tried.set(highestCarried(), RateStep.together(trials));
        }
    }

    /** All rates, rising. */
    List<RateStep> tried() {
        return List.copyOf(tried);
    }
}

package org.madcast.measure.loggp;

import java.util.Arrays;

/** The value in the middle, the upper one of two. */
final class Median {

    private Median() {}

    static double of(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}

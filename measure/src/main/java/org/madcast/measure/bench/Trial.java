package org.madcast.measure.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * One timed broadcast of a schedule.
 *
 * @param cell what is broadcast, and how
 * @param warmUp true when its times are not counted
 * @param number distinguishes the trials of a launch
 */
record Trial(Cell cell, boolean warmUp, int number) {

    private static final int LEAST_WARM_UPS = 5;
    private static final int WARM_UP_BYTES = 16 << 20;

    /**
     * All trials of a launch: first the warm-up of every cell, then all repetitions of all cells in
     * an order that the seed decides, so that a drift of the machine meets all cells alike.
     */
    static List<Trial> schedule(BenchOptions options, long seed) {
        List<Cell> cells = options.cells();
        List<Cell> order = new ArrayList<>();
        for (int i = 0; i < options.amount().repetitions(); i++) {
            order.addAll(cells);
        }
        Collections.shuffle(order, new Random(seed));
        List<Trial> trials = new ArrayList<>();
        for (int i = 0; i < options.amount().warmUps(); i++) {
            for (Cell cell : cells) {
                if (i < mostWarmUps(cell)) {
                    trials.add(new Trial(cell, true, trials.size()));
                }
            }
        }
        for (Cell cell : order) {
            trials.add(new Trial(cell, false, trials.size()));
        }
        return trials;
    }

    /** A rank handles thousands of datagrams of a few large messages: those need no more. */
    private static int mostWarmUps(Cell cell) {
        return Math.max(LEAST_WARM_UPS, WARM_UP_BYTES / Math.max(1, cell.sizeBytes()));
    }
}

package org.madcast.allocator.statistics;

import java.time.Instant;
import java.util.List;

/**
 * What a communicator's ranks did, in steps of time.
 *
 * @param from where the first step begins
 * @param stepSeconds how long a step is
 * @param steps one behind the other; those without reports are empty
 */
public record History(Instant from, long stepSeconds, List<IntervalSums> steps) {

    /** Keeps the steps as they are. */
    public History {
        steps = List.copyOf(steps);
    }

    /** All steps together. */
    public IntervalSums sum() {
        IntervalSums sum = new IntervalSums();
        steps.forEach(sum::add);
        return sum;
    }
}

package org.madcast.measure.bench;

import java.util.Locale;

/** How times that are taken on several hosts are compared. */
public enum ClockKind {
    /** All hosts have one clock, as those of a lab. */
    SHARED,
    /**
     * The clocks are synchronised by round trips, and how far off they are is part of the result.
     */
    SYNCHRONISED,
    /** No clock is compared with another: the root times a receiver's answer (seed 000, 4.2). */
    OWN;

    /** Its name on the command line and in results. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}

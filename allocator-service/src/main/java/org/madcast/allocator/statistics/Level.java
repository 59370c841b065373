package org.madcast.allocator.statistics;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** How fine history is kept, and how long. */
public enum Level {
    /** Batches of reports as they came. */
    RAW(0, ChronoUnit.SECONDS, Duration.ofHours(1)),
    MINUTE(1, ChronoUnit.MINUTES, Duration.ofDays(7)),
    HOUR(2, ChronoUnit.HOURS, Duration.ofDays(365)),
    /** All since the communicator was made; forgotten a year after the last report. */
    TOTAL(3, ChronoUnit.FOREVER, Duration.ofDays(365));

    private final int number;
    private final ChronoUnit unit;
    private final Duration retention;

    Level(int number, ChronoUnit unit, Duration retention) {
        this.number = number;
        this.unit = unit;
        this.retention = retention;
    }

    /** What the table calls it. */
    int number() {
        return number;
    }

    ChronoUnit unit() {
        return unit;
    }

    Duration retention() {
        return retention;
    }
}

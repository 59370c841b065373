package org.madcast.allocator.statistics;

import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** How far back a page looks. */
enum Span {
    /** From when the communicator was made until it ended, or until now. */
    LIFE("job", "whole job", Duration.ZERO, 90),
    MOMENT("5m", "5 minutes", Duration.ofMinutes(5), 30),
    MINUTES("15m", "15 minutes", Duration.ofMinutes(15), 90),
    HOUR("1h", "1 hour", Duration.ofHours(1), 60),
    DAY("24h", "24 hours", Duration.ofHours(24), 96),
    WEEK("7d", "7 days", Duration.ofDays(7), 84),
    YEAR("1y", "a year", Duration.ofDays(364), 91);

    private final String key;
    private final String text;
    private final Duration length;
    private final int steps;

    Span(String key, String text, Duration length, int steps) {
        this.key = key;
        this.text = text;
        this.length = length;
        this.steps = steps;
    }

    /** The span of that key, or else the whole job. */
    static Span of(@Nullable String key) {
        return Arrays.stream(values()).filter(it -> it.key.equals(key)).findFirst().orElse(LIFE);
    }

    public String key() {
        return key;
    }

    public String text() {
        return text;
    }

    Duration length() {
        return length;
    }

    int steps() {
        return steps;
    }
}

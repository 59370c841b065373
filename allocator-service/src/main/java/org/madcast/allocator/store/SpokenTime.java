package org.madcast.allocator.store;

import java.time.Duration;
import java.util.Locale;

/** How long something took, as people read it in a log: {@code 1.4 s}, {@code 90 s}. */
final class SpokenTime {

    private static final int WHOLE_FROM_S = 10;

    private SpokenTime() {}

    static String of(Duration time) {
        return time.toSeconds() >= WHOLE_FROM_S
                ? time.toSeconds() + " s"
                : String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1e3);
    }
}

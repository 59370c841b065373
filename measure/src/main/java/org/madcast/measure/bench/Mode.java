package org.madcast.measure.bench;

import java.util.Locale;

/** What a time means. */
public enum Mode {
    /** Each call is alone: it begins when all before it has ended everywhere. */
    ISOLATED,
    /** A time is the mean of many calls one behind the other. */
    PIPELINED,
    /** Non-blocking calls, while each rank computes for as long as the call takes alone. */
    OVERLAP;

    /** Its name on the command line and in results. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}

package org.madcast.client.lease;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Reads what the service advises in its answer to a report. */
final class RootDelayAdvice {

    private static final int MOST_SITES = 1_000;

    private RootDelayAdvice() {}

    /** Microseconds by site; the empty site is any other. */
    static Map<String, Integer> read(JsonFields answer) throws IOException {
        Map<String, Integer> advice = new HashMap<>();
        if (answer.has("rootDelayMicros")) {
            advice.put("", answer.number("rootDelayMicros", 0, Integer.MAX_VALUE));
        }
        for (JsonFields site : answer.children("sites")) {
            if (advice.size() < MOST_SITES) {
                advice.put(site.text("site"), site.number("rootDelayMicros", 0, Integer.MAX_VALUE));
            }
        }
        return advice;
    }
}

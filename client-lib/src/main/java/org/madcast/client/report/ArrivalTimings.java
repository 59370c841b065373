package org.madcast.client.report;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * When a receiver called, against when the data came: what the service tunes the root's delay by.
 * Recording changes a few longs in place. Any thread may record while one other drains.
 */
final class ArrivalTimings {

    private final ReportedDurations early = new ReportedDurations();
    private final ReportedDurations late = new ReportedDurations();
    private final AtomicLong lostEarly = new AtomicLong();
    private final AtomicLong lostEarlyNs = new AtomicLong();
    private final AtomicLong lostLate = new AtomicLong();
    private final AtomicLong lostLateNs = new AtomicLong();

    void record(long afterDataNs, long askedNs) {
        if (afterDataNs <= 0) {
            early.record(0, -afterDataNs);
            if (askedNs > 0) {
                lostEarly.getAndIncrement();
                // what it waited before there was anything to lose is not what the loss cost
                lostEarlyNs.getAndAdd(Math.max(0, askedNs + afterDataNs));
            }
            return;
        }
        late.record(0, afterDataNs);
        if (askedNs > 0) {
            lostLate.getAndIncrement();
            lostLateNs.getAndAdd(askedNs);
        }
    }

    /** Takes everything out, as an element of a report. */
    Map<String, Object> drain() {
        Map<String, Object> element = new LinkedHashMap<>();
        element.put("early", early.drain().buckets());
        element.put("late", late.drain().buckets());
        element.put("lostEarly", lostEarly.getAndSet(0));
        element.put("lostEarlyNs", lostEarlyNs.getAndSet(0));
        element.put("lostLate", lostLate.getAndSet(0));
        element.put("lostLateNs", lostLateNs.getAndSet(0));
        return element;
    }
}

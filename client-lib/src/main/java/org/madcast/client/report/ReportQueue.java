package org.madcast.client.report;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reports that wait to be sent: numbered, bounded, the oldest dropped first and counted. A report
 * keeps its number however often it is sent, so that the service counts it one time. For one
 * thread.
 */
final class ReportQueue {

    private final int capacity;
    private final Deque<Map<String, Object>> waiting = new ArrayDeque<>();
    private long nextSequence;
    private long dropped;

    ReportQueue(int capacity) {
        this.capacity = capacity;
    }

    /** Adds a report, which gets its number and the count of those dropped so far. */
    void add(Map<String, Object> report) {
        if (waiting.size() == capacity) {
            waiting.removeFirst();
            dropped++;
        }
        report.put("sequence", nextSequence++);
        report.put("dropped", dropped);
        waiting.addLast(report);
    }

    /** The oldest report, null when there is none. */
    @Nullable Map<String, Object> oldest() {
        return waiting.peekFirst();
    }

    /** The oldest report was sent, or refused for good. */
    void removeOldest() {
        waiting.removeFirst();
    }

    int size() {
        return waiting.size();
    }
}

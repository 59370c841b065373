package org.madcast.allocator.statistics;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.ToLongFunction;

/** What is summed for each rank over an interval. The names are those of the stored JSON. */
public enum RankCount {
    BROADCASTS(it -> it.counters().broadcasts()),
    MESSAGE_BYTES(it -> it.counters().messageBytes()),
    DATAGRAMS_SENT(it -> it.counters().datagramsSent()),
    DATAGRAMS_RECEIVED(it -> it.counters().datagramsReceived()),
    FRAGMENTS_USEFUL(it -> it.counters().fragmentsUseful()),
    FRAGMENTS_DUPLICATE(it -> it.counters().fragmentsDuplicate()),
    FRAGMENTS_LOST(it -> it.counters().fragmentsLost()),
    REPAIRS_SENT(it -> it.counters().repairsSent()),
    REPAIRS_RECEIVED(it -> it.counters().repairsReceived()),
    REPAIR_REQUESTS_SENT(it -> it.counters().repairRequestsSent()),
    FOREIGN(it -> it.counters().foreign()),
    REJECTED(it -> it.rejected().values().stream().mapToLong(Long::longValue).sum()),
    REPORTS_DROPPED(Report::dropped);

    private final ToLongFunction<Report> cumulative;

    RankCount(ToLongFunction<Report> cumulative) {
        this.cumulative = cumulative;
    }

    /** The report's value, which runs on from report to report. */
    long of(Report report) {
        return cumulative.applyAsLong(report);
    }

    /** All values of a report, in the order of these constants. */
    static List<Long> all(Report report) {
        return Arrays.stream(values()).map(it -> it.of(report)).toList();
    }

    /** What stands for a report before the first. */
    static List<Long> none() {
        return Collections.nCopies(values().length, 0L);
    }
}

package org.madcast.allocator.statistics;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** What is summed for each rank over an interval. The names are those of the stored JSON. */
public enum RankCount {
    BROADCASTS,
    MESSAGE_BYTES,
    DATAGRAMS_SENT,
    DATAGRAMS_RECEIVED,
    FRAGMENTS_USEFUL,
    FRAGMENTS_DUPLICATE,
    FRAGMENTS_LOST,
    REPAIRS_SENT,
    REPAIRS_RECEIVED,
    REPAIR_REQUESTS_SENT,
    FOREIGN,
    REJECTED,
    REPORTS_DROPPED;

    /** The report's value, which runs on from report to report. */
    long of(Report report) {
        Counters counters = report.counters();
        return switch (this) {
            case BROADCASTS -> counters.broadcasts();
            case MESSAGE_BYTES -> counters.messageBytes();
            case DATAGRAMS_SENT -> counters.datagramsSent();
            case DATAGRAMS_RECEIVED -> counters.datagramsReceived();
            case FRAGMENTS_USEFUL -> counters.fragmentsUseful();
            case FRAGMENTS_DUPLICATE -> counters.fragmentsDuplicate();
            case FRAGMENTS_LOST -> counters.fragmentsLost();
            case REPAIRS_SENT -> counters.repairsSent();
            case REPAIRS_RECEIVED -> counters.repairsReceived();
            case REPAIR_REQUESTS_SENT -> counters.repairRequestsSent();
            case FOREIGN -> counters.foreign();
            case REJECTED -> report.rejected().values().stream().mapToLong(Long::longValue).sum();
            case REPORTS_DROPPED -> report.dropped();
        };
    }

    /** Where it is in a report's stored totals, the first is 1. */
    public int column() {
        return 1 + index();
    }

    /** Where it is in the order of these constants, the first is 0. */
    @SuppressWarnings("EnumOrdinal") // the order is what is stored
    int index() {
        return ordinal();
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

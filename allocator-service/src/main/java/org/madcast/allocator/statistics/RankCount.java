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

    @SuppressWarnings("ImmutableEnumChecker") // no function has state
    private final ToLongFunction<Report> value;

    RankCount(ToLongFunction<Report> value) {
        this.value = value;
    }

    /** Its place in a report's stored totals, the first is 1. */
    public int column() {
        return 1 + index();
    }

    /** Its place in the order of these constants, the first is 0. */
    @SuppressWarnings("EnumOrdinal") // the order is what is stored
    int index() {
        return ordinal();
    }

    /** All values of a report, which run on from report to report, in this order. */
    static List<Long> all(Report report) {
        return Arrays.stream(values()).map(it -> it.value.applyAsLong(report)).toList();
    }

    /** The values before the first report. */
    static List<Long> none() {
        return Collections.nCopies(values().length, 0L);
    }
}

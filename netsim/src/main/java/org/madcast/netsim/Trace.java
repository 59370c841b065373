package org.madcast.netsim;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What happened, as a running hash over every sent, delivered and dropped datagram and, when asked
 * for, as the last events in words.
 */
final class Trace {

    private static final DropCause[] CAUSES = DropCause.values();
    private static final int SENT = -2;
    private static final int DELIVERED = -1;
    private static final int FIELDS = 4;
    private static final long MULTIPLIER = 0x9FB21C651E98DF25L;

    private long hash;
    private long[] log = new long[0];
    private long logged;

    long hash() {
        return hash;
    }

    void keepLog(int events) {
        if (events < 0) {
            throw new IllegalArgumentException("a log of " + events + " events");
        }
        log = new long[events * FIELDS];
        logged = 0;
    }

    void sent(long nowNs, Datagram datagram) {
        record(nowNs, SENT, datagram, datagram.destination());
    }

    void delivered(long nowNs, Datagram datagram, int to) {
        record(nowNs, DELIVERED, datagram, to);
    }

    void dropped(long nowNs, DropCause cause, Datagram datagram, int to) {
        record(nowNs, cause.code(), datagram, to);
    }

    private void record(long nowNs, int what, Datagram datagram, int to) {
        long nodes = (long) datagram.from() << 32 | (to & 0xFFFFFFFFL);
        long content = (long) datagram.lengthBytes() << 32 | (datagram.crc() & 0xFFFFFFFFL);
        hash = absorb(absorb(absorb(absorb(hash, nowNs), what), nodes), content);
        if (log.length > 0) {
            int at = (int) (logged++ % (log.length / FIELDS)) * FIELDS;
            log[at] = nowNs;
            log[at + 1] = what;
            log[at + 2] = nodes;
            log[at + 3] = content;
        }
    }

    private static long absorb(long state, long value) {
        long mixed = (state ^ value) * MULTIPLIER;
        return mixed ^ (mixed >>> 29);
    }

    /** The last events, oldest first. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        long capacity = log.length / FIELDS;
        for (long i = Math.max(0, logged - capacity); i < logged; i++) {
            lines.add(line((int) (i % capacity) * FIELDS));
        }
        return lines;
    }

    private String line(int at) {
        int to = (int) log[at + 2];
        return String.format(
                Locale.ROOT,
                "%12.3f us  %d -> %s  %d bytes, crc %08x  %s",
                log[at] / 1e3,
                log[at + 2] >> 32,
                to == Destination.GROUP ? "group" : Integer.toString(to),
                log[at + 3] >> 32,
                (int) log[at + 3],
                what((int) log[at + 1]));
    }

    private static String what(int what) {
        return switch (what) {
            case SENT -> "sent";
            case DELIVERED -> "delivered";
            default -> "dropped: " + CAUSES[what];
        };
    }
}

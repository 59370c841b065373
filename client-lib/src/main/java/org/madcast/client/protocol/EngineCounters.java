package org.madcast.client.protocol;

import java.util.EnumMap;
import java.util.Map;
import org.madcast.client.wire.Rejection;

/** What an engine counts. Written by the engine; read under the driver's lock. */
public final class EngineCounters {

    long broadcasts;
    long messageBytes;
    long datagramsSent;
    long datagramsReceived;
    long multicastSent;
    long multicastReceived;
    long fragmentsUseful;
    long fragmentsDuplicate;
    long repairsSent;
    long repairsReceived;
    long foreign;
    private long collisions;
    private final Map<Rejection, long[]> rejected = new EnumMap<>(Rejection.class);

    EngineCounters() {}

    void reject(Rejection reason, boolean ofGroup) {
        collisions += ofGroup && reason == Rejection.FOREIGN ? 1 : 0;
        if (reason.isForeign()) {
            foreign++;
        }
        rejected.computeIfAbsent(reason, first -> new long[1])[0]++;
    }

    /** Broadcasts completed. */
    public long broadcasts() {
        return broadcasts;
    }

    /** Bytes of the completed broadcasts' messages. */
    public long messageBytes() {
        return messageBytes;
    }

    /** Datagrams handed to the driver. */
    public long datagramsSent() {
        return datagramsSent;
    }

    /** Datagrams that the driver delivered. */
    public long datagramsReceived() {
        return datagramsReceived;
    }

    /** Of the datagrams handed to the driver, those to the group. */
    public long multicastSent() {
        return multicastSent;
    }

    /** Of the datagrams that the driver delivered, those that came to the group's address. */
    public long multicastReceived() {
        return multicastReceived;
    }

    /** Fragments that were new. */
    public long fragmentsUseful() {
        return fragmentsUseful;
    }

    /** Fragments that this rank owned already. */
    public long fragmentsDuplicate() {
        return fragmentsDuplicate;
    }

    /** Fragments sent again. */
    public long repairsSent() {
        return repairsSent;
    }

    /** New fragments that came as repairs. */
    public long repairsReceived() {
        return repairsReceived;
    }

    /** Datagrams of other communicators that came to the group. */
    public long collisions() {
        return collisions;
    }

    /** Datagrams rejected, by reason; reasons that did not occur are absent. */
    public Map<Rejection, Long> rejected() {
        Map<Rejection, Long> byReason = new EnumMap<>(Rejection.class);
        rejected.forEach((reason, count) -> byReason.put(reason, count[0]));
        return byReason;
    }

    /** What came and went, for people. */
    public String describe() {
        long refused = 0;
        for (long[] count : rejected.values()) {
            refused += count[0];
        }
        return "it has sent %d datagrams, received %d and refused %d of them"
                .formatted(datagramsSent, datagramsReceived, refused);
    }
}

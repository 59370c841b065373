package org.madcast.simulator;

import org.madcast.netsim.Framing;
import org.madcast.netsim.LinkModel;

/**
 * What all cables of a network have in common.
 *
 * @param delayNs from end to end
 * @param queueBytes what a switch's port holds back before it drops; 0: anything
 * @param shaped whether cables are the lab's, which Linux's token buckets slow down: a burst passes
 *     at once, and of a frame only the header of 14 bytes counts
 */
public record CableModel(long delayNs, long queueBytes, boolean shaped) {

    /** What waits in a host before its cable: as much as an engine gives ahead. */
    private static final long SEND_QUEUE_BYTES = 64 * 1024;

    private static final long LEAST_BURST_BYTES = 32 * 1024;
    private static final long BURSTS_PER_SECOND = 4_000;

    /** Checks the ranges. */
    public CableModel {
        if (delayNs < 0 || queueBytes < 0) {
            throw new IllegalArgumentException(
                    "a cable with a delay of %d ns and a queue of %d bytes"
                            .formatted(delayNs, queueBytes));
        }
    }

    /** From a host. */
    LinkModel uplink(long rate) {
        return new LinkModel(rate, delayNs, SEND_QUEUE_BYTES, burstBytes(rate));
    }

    /** From a switch. */
    LinkModel port(long rate) {
        return new LinkModel(rate, delayNs, queueBytes, burstBytes(rate));
    }

    /** What a datagram becomes on one. */
    public Framing framing() {
        return shaped ? Framing.ETHERNET.shaped() : Framing.ETHERNET;
    }

    /** What passes at once after a rest; 0 for real cables. */
    public long burstBytes(long rate) {
        return shaped ? Math.max(LEAST_BURST_BYTES, rate / 8 / BURSTS_PER_SECOND) : 0;
    }
}

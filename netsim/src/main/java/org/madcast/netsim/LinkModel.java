package org.madcast.netsim;

/**
 * One direction of the cable between a host and the switch.
 *
 * @param bitsPerSecond the rate; 0 = infinite, then nothing ever queues
 * @param delayNs from the last bit's leaving to its coming
 * @param queueLimitBytes how many bytes on the wire's scale may wait, the frame being sent
 *     included; 0 = unlimited. An uplink that holds more than this is not given more
 *     (back-pressure; it may overshoot by one datagram); a downlink drops what does not fit (tail
 *     drop at the switch)
 * @param burstBytes how many bytes on the wire's scale pass at once after a rest: 0 for a cable;
 *     more for a shaper, which is a token bucket
 */
public record LinkModel(long bitsPerSecond, long delayNs, long queueLimitBytes, long burstBytes) {

    /** Infinitely fast, without delay or limit. */
    public static final LinkModel IDEAL = new LinkModel(0, 0, 0);

    /** Checks the ranges. */
    public LinkModel {
        if (bitsPerSecond < 0 || delayNs < 0 || queueLimitBytes < 0 || burstBytes < 0) {
            throw new IllegalArgumentException(
                    "negative: rate "
                            + bitsPerSecond
                            + " bit/s, delay "
                            + delayNs
                            + " ns, queue "
                            + queueLimitBytes
                            + " bytes, burst "
                            + burstBytes
                            + " bytes");
        }
    }

    /** A cable. */
    public LinkModel(long bitsPerSecond, long delayNs, long queueLimitBytes) {
        this(bitsPerSecond, delayNs, queueLimitBytes, 0);
    }
}

package org.madcast.madcap.client;

import java.time.Duration;
import java.util.List;

/**
 * When a message without an answer is sent again and when a client times out, each counted from the
 * first transmission (RFC 2730, section 2.3).
 *
 * @param retransmissions in ascending order
 * @param giveUp after the last of them
 */
public record RetransmissionSchedule(List<Duration> retransmissions, Duration giveUp) {

    /** Again after 4, 12 and 28 seconds, and no longer than 60. */
    public static final RetransmissionSchedule RFC_2730 =
            new RetransmissionSchedule(
                    List.of(Duration.ofSeconds(4), Duration.ofSeconds(12), Duration.ofSeconds(28)),
                    Duration.ofSeconds(60));

    /** The longest wait of section 2.3 between two transmissions. */
    private static final Duration LONGEST_DELAY = Duration.ofSeconds(16);

    public RetransmissionSchedule {
        retransmissions = List.copyOf(retransmissions);
        Duration before = Duration.ZERO;
        for (Duration at : retransmissions) {
            if (at.compareTo(before) <= 0) {
                throw new IllegalArgumentException("Not ascending: " + retransmissions);
            }
            before = at;
        }
        if (giveUp.compareTo(before) <= 0) {
            throw new IllegalArgumentException("Giving up at " + giveUp + ", not after " + before);
        }
    }

    /** The wait that follows a number of transmissions; after the last at most 16 seconds. */
    Duration delayAfter(int transmissions) {
        int last = Math.min(transmissions, retransmissions.size() + 1);
        Duration from = last <= 1 ? Duration.ZERO : retransmissions.get(last - 2);
        Duration delay =
                last > retransmissions.size()
                        ? giveUp.minus(from)
                        : retransmissions.get(last - 1).minus(from);
        return delay.compareTo(LONGEST_DELAY) > 0 ? LONGEST_DELAY : delay;
    }
}

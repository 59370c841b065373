package org.madcast.madcap.client;

import java.time.Duration;

/**
 * A message that waits for its answer: the same bytes each time (RFC 2730, section 2.1.4), sent at
 * the times of the schedule, which starts when the first was sent. Transmissions that were missed
 * are left out; at most one goes out at a time.
 */
final class PendingMessage {

    private final byte[] bytes;
    private final RetransmissionSchedule schedule;
    private final long startNs;
    private long firstSentNs;
    private int sentCount;

    PendingMessage(byte[] bytes, RetransmissionSchedule schedule, long startNs) {
        this.bytes = bytes;
        this.schedule = schedule;
        this.startNs = startNs;
    }

    byte[] bytes() {
        return bytes;
    }

    /** When to send again or to time out. */
    long deadlineNs() {
        if (sentCount == 0) {
            return startNs;
        }
        int next = sentCount - 1;
        boolean isLast = next >= schedule.retransmissions().size();
        return firstSentNs
                + (isLast ? schedule.giveUp() : schedule.retransmissions().get(next)).toNanos();
    }

    boolean isOver(long nowNs) {
        return sentCount > 0 && nowNs - (firstSentNs + schedule.giveUp().toNanos()) >= 0;
    }

    boolean isDue(long nowNs) {
        return nowNs - deadlineNs() >= 0 && !isOver(nowNs);
    }

    /** Counts a transmission, and with it those whose time has passed too. */
    void sent(long nowNs) {
        if (sentCount == 0) {
            firstSentNs = nowNs;
            sentCount = 1;
            return;
        }
        while (isDue(nowNs)) {
            sentCount++;
        }
    }

    /** How many were sent or left out. */
    int sentCount() {
        return sentCount;
    }

    /** The current retransmission timer. */
    Duration currentDelay() {
        return schedule.delayAfter(sentCount);
    }
}

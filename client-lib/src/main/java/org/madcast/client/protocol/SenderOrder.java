package org.madcast.client.protocol;

import java.util.Arrays;

/**
 * Which sealed datagram of each sender is its latest. Whoever can record what is sent can send it
 * again, and the seal is as good as it was: no position moves by that, but neither must it pass for
 * a sign of life, nor for news. What is older is not wrong for that reason: datagrams of one sender
 * to the group and to a rank come by two sockets, of which one may be thousands behind, so that a
 * window of numbers, as where there is one way only (RFC 4303, section 3.4.3), would drop honest
 * ones.
 */
final class SenderOrder {

    private static final long[] UNUSED = {};

    private final int size;
    private long[] latest = UNUSED;
    private long[] latestReport = UNUSED;

    SenderOrder(int size) {
        this.size = size;
    }

    /** Notes a datagram, of the number that it was sealed with or a negative one: all are later. */
    boolean isLatest(int sender, long number) {
        if (number >= 0 && latest.length == 0) {
            latest = none();
        }
        return number < 0 || rises(latest, sender, number);
    }

    /** As {@link #isLatest}, among the reports that go along the tree. */
    boolean isLatestReport(int sender, long number) {
        if (number >= 0 && latestReport.length == 0) {
            latestReport = none();
        }
        return number < 0 || rises(latestReport, sender, number);
    }

    private long[] none() {
        long[] numbers = new long[size];
        Arrays.fill(numbers, -1);
        return numbers;
    }

    private static boolean rises(long[] numbers, int sender, long number) {
        boolean later = number > numbers[sender];
        numbers[sender] = later ? number : numbers[sender];
        return later;
    }
}

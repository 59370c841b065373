package org.madcast.client.protocol;

/** Rising sequences folded into (first, count) ranges, up to a fixed number of ranges. */
final class RangeList {

    private final long[] firsts;
    private final int[] counts;
    private int size;

    RangeList(int maxRanges) {
        firsts = new long[maxRanges];
        counts = new int[maxRanges];
    }

    void clear() {
        size = 0;
    }

    int size() {
        return size;
    }

    long first(int index) {
        return firsts[index];
    }

    int count(int index) {
        return counts[index];
    }

    /** Adds a sequence above all earlier ones; false when there is no room for another range. */
    boolean add(long sequence) {
        if (size > 0 && firsts[size - 1] + counts[size - 1] == sequence) {
            counts[size - 1]++;
            return true;
        }
        if (size == firsts.length) {
            return false;
        }
        firsts[size] = sequence;
        counts[size] = 1;
        size++;
        return true;
    }
}

package org.madcast.allocator.statistics;

/** Sums of counts, which ranks may say anything about: they stop at the largest number. */
final class Sum {

    private Sum() {}

    /** Of two that are not negative. */
    static long of(long some, long more) {
        long sum = some + more;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }
}

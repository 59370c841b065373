package org.madcast.measure.leasebench;

import java.util.Arrays;

/** How long users waited, gathered by one thread. */
final class Latencies {

    private long[] ns = new long[1024];
    private int count;

    void add(long each) {
        if (count == ns.length) {
            ns = Arrays.copyOf(ns, ns.length * 2);
        }
        ns[count++] = each;
    }

    long[] all() {
        return Arrays.copyOf(ns, count);
    }
}

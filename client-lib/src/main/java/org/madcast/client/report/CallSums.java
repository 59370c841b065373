package org.madcast.client.report;

/** The sums of a profile. One thread at a time. */
final class CallSums {

    static final int CALLS = 0;
    static final int NS = 1;
    static final int WAITED_NS = 2;
    static final int BYTES = 3;
    static final int LONGEST_NS = 4;
    static final int SITE_OF_LONGEST = 5;

    private static final int WIDTH = 6;

    private final long[] byKind = new long[CallRecorder.KINDS * WIDTH];

    /** Of each rank how long this one has waited for it, and what it has sent there. */
    final long[] waitedNs;

    final long[] sentBytes;
    final long[] messages;
    long multicastBytes;

    CallSums(int ranks) {
        waitedNs = new long[ranks];
        sentBytes = new long[ranks];
        messages = new long[ranks];
    }

    long of(int kind, int what) {
        return byKind[kind * WIDTH + what];
    }

    long total(int what) {
        long total = 0;
        for (int kind = 0; kind < CallRecorder.KINDS; kind++) {
            total += of(kind, what);
        }
        return total;
    }

    void add(int kind, int peer, long tookNs, long waited, long bytes, int site) {
        int at = kind * WIDTH;
        byKind[at + CALLS]++;
        byKind[at + NS] += tookNs;
        byKind[at + WAITED_NS] += waited;
        byKind[at + BYTES] += bytes;
        if (tookNs > byKind[at + LONGEST_NS]) {
            byKind[at + LONGEST_NS] = tookNs;
            byKind[at + SITE_OF_LONGEST] = site;
        }
        if (peer >= 0) {
            waitedNs[peer] += waited;
        }
    }

    void sent(int to, long bytes) {
        sentBytes[to] += bytes;
        messages[to]++;
    }
}

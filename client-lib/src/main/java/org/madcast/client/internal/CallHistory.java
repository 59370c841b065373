package org.madcast.client.internal;

import org.jspecify.annotations.Nullable;
import org.madcast.client.survival.Notice;

/**
 * The last collective calls of a rank: those by messages, and those of the broadcast engine. All
 * ranks make the same calls in the same order, so a call by messages has the same number on each,
 * and as many calls of the engine before it. Under the endpoint's lock, but for {@link
 * #beginBroadcast}.
 */
final class CallHistory {

    /** How many calls back another rank's is compared; a power of two. */
    private static final int LAST_CALLS = 64;

    /** What calls by messages were, each at the place of its number. */
    private final long[] last = new long[LAST_CALLS];

    /** How many calls of the engine preceded each of them. */
    private final int[] broadcastsBefore = new int[LAST_CALLS];

    /** What calls of the engine were. */
    private final long[] lastBroadcasts = new long[LAST_CALLS];

    private int calls;
    private volatile int broadcasts;

    /**
     * How another rank's calls differ.
     *
     * @param own this rank's call
     * @param its the other's
     * @param moreBroadcasts how many more calls of the engine this rank made before the same call
     */
    record Difference(long own, long its, int moreBroadcasts) {

        /** A sentence for people. */
        String describe(int self, int other) {
            String here = CallSignature.describe(own);
            return own == its
                    ? "rank %d is %d broadcasts or barriers %s rank %d when both call %s"
                            .formatted(
                                    self,
                                    Math.abs(moreBroadcasts),
                                    moreBroadcasts > 0 ? "ahead of" : "behind",
                                    other,
                                    here)
                    : "rank %d called %s, rank %d called %s"
                            .formatted(self, here, other, CallSignature.describe(its));
        }
    }

    /** A call by messages begins; returns its number. */
    int begin(long call) {
        last[calls % LAST_CALLS] = call;
        broadcastsBefore[calls % LAST_CALLS] = broadcasts;
        int number = calls;
        calls = calls + 1 & Integer.MAX_VALUE;
        return number;
    }

    /** A call of the engine begins; one thread at a time, and any. */
    void beginBroadcast(long call) {
        int number = broadcasts;
        lastBroadcasts[number & (LAST_CALLS - 1)] = call;
        broadcasts = number + 1;
    }

    /** What tells another rank that this one waits in a call; null when that is too long ago. */
    @Nullable Notice waiting(int number, long call) {
        int back = calls - number & Integer.MAX_VALUE;
        return back > LAST_CALLS
                ? null
                : Notice.waiting(number, broadcastsBefore[number % LAST_CALLS], call);
    }

    /**
     * Compares with a call in which another rank waits for this one.
     *
     * @return null when they agree, or may agree when this rank has made more calls
     */
    @Nullable Difference compare(Notice notice) {
        int number = notice.number();
        long its = notice.verdict().flags();
        int back = calls - number & Integer.MAX_VALUE;
        if (back > 0 && back <= LAST_CALLS) {
            long own = last[number % LAST_CALLS];
            int before = broadcastsBefore[number % LAST_CALLS];
            int more = Notice.more(before, notice.broadcasts());
            return own == its && more == 0 ? null : new Difference(own, its, more);
        }
        if (back != 0 && back < Integer.MAX_VALUE / 2) {
            return null; // too long ago
        }
        // It was not called here yet, but perhaps a call of the engine that comes after it there.
        int begun = broadcasts;
        int after = Notice.more(begun, notice.broadcasts());
        if (after <= 0) {
            return null;
        }
        int kept = Math.min(after, LAST_CALLS);
        return new Difference(lastBroadcasts[(begun - kept) & (LAST_CALLS - 1)], its, after);
    }
}

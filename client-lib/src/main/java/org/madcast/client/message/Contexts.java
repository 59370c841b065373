package org.madcast.client.message;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;

/**
 * The contexts that this process knows, the failures of those that it does not know yet, and those
 * that were closed last.
 */
final class Contexts {

    private static final int MOST_FAILED_EARLY = 64;

    /** Of these messages may still be under way; they are the last that were closed. */
    private static final int MOST_CLOSED = 4096;

    /** A communicator's half of a context. */
    interface Context {
        /** Whether a rank of the world belongs to it: receives from any source depend on it. */
        boolean isMember(int rank);

        /** A member reports that the collective calls of the context have failed. */
        void onAbort(byte[] why);
    }

    private final Map<Long, Context> known = new HashMap<>();
    private final Map<Long, byte[]> failedEarly = new LinkedHashMap<>();
    private final LinkedHashSet<Long> closed = new LinkedHashSet<>();

    /**
     * Makes contexts known.
     *
     * @throws IllegalStateException if one of them is known already: then none is changed
     */
    void open(Context of, long... contexts) {
        for (long context : contexts) {
            if (known.containsKey(context)) {
                throw new IllegalStateException(
                        "the context %016x is that of another communicator".formatted(context));
            }
        }
        for (long context : contexts) {
            known.put(context, of);
            closed.remove(context);
        }
        for (long context : contexts) {
            byte[] why = failedEarly.remove(context);
            if (why != null) {
                of.onAbort(why);
            }
        }
    }

    void close(long context) {
        known.remove(context);
        failedEarly.remove(context);
        closed.add(context);
        if (closed.size() > MOST_CLOSED) {
            closed.removeFirst();
        }
    }

    /** Whether messages for a context are dropped, since it was closed here. */
    boolean isClosed(long context) {
        return closed.contains(context);
    }

    boolean isMember(long context, int rank) {
        Context of = known.get(context);
        return of != null && of.isMember(rank);
    }

    void onAbort(long context, byte[] why) {
        Context of = known.get(context);
        if (of != null) {
            of.onAbort(why);
        } else if (!isClosed(context) && failedEarly.size() < MOST_FAILED_EARLY) {
            failedEarly.put(context, why);
        }
    }
}

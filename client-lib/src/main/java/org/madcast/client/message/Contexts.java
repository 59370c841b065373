package org.madcast.client.message;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** The contexts that this process knows, and the failures of those that it does not know yet. */
final class Contexts {

    private static final int MOST_FAILED_EARLY = 64;

    /** A communicator's half of a context. */
    interface Context {
        /** Whether a rank of the world belongs to it: receives from any source depend on it. */
        boolean isMember(int rank);

        /** A member reports that the collective calls of the context have failed. */
        void onAbort(byte[] why);
    }

    private final Map<Long, Context> known = new HashMap<>();
    private final Map<Long, byte[]> failedEarly = new LinkedHashMap<>();

    /** Makes a context known. */
    void open(long context, Context of) {
        known.put(context, of);
        byte[] why = failedEarly.remove(context);
        if (why != null) {
            of.onAbort(why);
        }
    }

    void close(long context) {
        known.remove(context);
    }

    boolean isMember(long context, int rank) {
        Context of = known.get(context);
        return of != null && of.isMember(rank);
    }

    void onAbort(long context, byte[] why) {
        Context of = known.get(context);
        if (of != null) {
            of.onAbort(why);
        } else if (failedEarly.size() < MOST_FAILED_EARLY) {
            failedEarly.put(context, why);
        }
    }
}

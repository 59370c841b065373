package org.madcast.client.message;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The contexts that this process knows, the failures and notices of those that it does not know
 * yet, and those that were closed last.
 */
final class Contexts {

    private static final int MOST_FAILED_EARLY = 64;

    /** What a rank may say early: in each context a call that has begun there says one or two. */
    private static final int MOST_EARLY_NOTICES = 64;

    /** Of these messages may still be under way; they are the last that were closed. */
    private static final int MOST_CLOSED = 4096;

    /** A communicator's half of a context. */
    interface Context {
        /** Whether a rank of the world belongs to it: receives from any source depend on it. */
        boolean isMember(int rank);

        /** A member reports that the collective calls of the context have failed. */
        void onAbort(byte[] why);

        /** A member says something that no transfer receives. */
        default void onNotice(int from, byte[] notice) {}

        /** A member has closed the context; it says and hears nothing of it any more. */
        default void onClosed(int from) {}

        /** A rank of the world is lost: nothing comes from it any more. */
        default void onLost(int rank) {}

        /** Adds the ranks whose notices are waited for. */
        default void addAwaited(Set<Integer> ranks) {}

        /** Is called now and then. */
        default void onTime(long nowNs) {}
    }

    private static final class Early {
        private final int from;
        private final byte[] notice;

        Early(int from, byte[] notice) {
            this.from = from;
            this.notice = notice;
        }
    }

    private final Map<Long, Context> known = new HashMap<>();
    private final Map<Long, byte[]> failedEarly = new LinkedHashMap<>();
    private final Map<Long, List<Early>> early = new HashMap<>();
    private final Map<Integer, Integer> earlyOfRank = new HashMap<>();
    private final Set<Long> revoked = new HashSet<>();
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
            for (Early each : takeEarly(context)) {
                of.onNotice(each.from, each.notice);
            }
        }
    }

    private List<Early> takeEarly(long context) {
        List<Early> taken = early.getOrDefault(context, List.of());
        early.remove(context);
        taken.forEach(each -> earlyOfRank.merge(each.from, -1, Integer::sum));
        return taken;
    }

    void close(long context) {
        known.remove(context);
        failedEarly.remove(context);
        revoked.remove(context);
        List<Early> _ = takeEarly(context);
        closed.add(context);
        if (closed.size() > MOST_CLOSED) {
            closed.removeFirst();
        }
    }

    /** Whether a context was closed here. */
    boolean isClosed(long context) {
        return closed.contains(context);
    }

    /** From now on nothing is sent or received in a context. */
    void revoke(long context) {
        revoked.add(context);
    }

    boolean isRevoked(long context) {
        return revoked.contains(context);
    }

    /** Whether messages for a context are dropped, since it was closed here or revoked. */
    boolean isDropped(long context) {
        return isClosed(context) || isRevoked(context);
    }

    /**
     * A member's notice, which may come before its context; an empty one says that it is closed.
     */
    void onNotice(long context, int from, byte[] notice) {
        Context of = known.get(context);
        if (of == null) {
            if (earlyOfRank.merge(from, 1, Integer::sum) > MOST_EARLY_NOTICES) {
                earlyOfRank.merge(from, -1, Integer::sum);
                return;
            }
            early.computeIfAbsent(context, _ -> new ArrayList<>()).add(new Early(from, notice));
        } else if (of.isMember(from)) {
            of.onNotice(from, notice);
        }
    }

    void onClosed(long context, int from) {
        Context of = known.get(context);
        if (of != null && of.isMember(from)) {
            of.onClosed(from);
        }
    }

    void onLost(int rank) {
        Set.copyOf(known.values()).forEach(each -> each.onLost(rank));
    }

    void addAwaited(Set<Integer> ranks) {
        Set.copyOf(known.values()).forEach(each -> each.addAwaited(ranks));
    }

    void onTime(long nowNs) {
        Set.copyOf(known.values()).forEach(each -> each.onTime(nowNs));
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

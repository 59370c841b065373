package org.madcast.allocator.madcap;

import java.net.InetSocketAddress;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.madcast.madcap.LeaseId;
import org.madcast.madcap.MessageType;
import org.madcast.madcap.Octets;

/**
 * What was answered lately (RFC 2730, section 2.1.4), so that a request that comes again gets the
 * same bytes and has no second effect. The time is a parameter; from any thread.
 *
 * <p>An entry begins when a request is taken up and gets its response later; meanwhile repetitions
 * are dropped. When there are too many, the oldest go: a repeated request is then served anew,
 * which the lease table makes harmless.
 */
final class ResponseCache {

    /**
     * The identity of a request.
     *
     * @param source its sender, the only one that gets the response
     */
    record Key(InetSocketAddress source, int xid, MessageType type, LeaseId leaseId) {}

    /** What to do with a request. */
    sealed interface Lookup {
        /** Serve it, then {@link #put} or {@link #forget}. */
        record New() implements Lookup {}

        /** It is being served, or its answer is silence. */
        record Silent() implements Lookup {}

        /** Send this again. */
        record Known(Octets response) implements Lookup {}
    }

    private static final class Entry {
        private final long takenUpNs;
        private @Nullable Octets response;

        Entry(long takenUpNs) {
            this.takenUpNs = takenUpNs;
        }
    }

    private final long keepNs;
    private final int capacity;
    private final Map<Key, Entry> entries = new LinkedHashMap<>();

    /**
     * An empty one.
     *
     * @param keepNs how long a request is remembered from when it first came
     * @param capacity how many at most
     */
    ResponseCache(long keepNs, int capacity) {
        this.keepNs = keepNs;
        this.capacity = capacity;
    }

    /** Looks a request up; when it is new, takes it up. */
    synchronized Lookup takeUp(Key key, long nowNs) {
        dropOld(nowNs);
        Entry entry = entries.get(key);
        if (entry == null) {
            entries.put(key, new Entry(nowNs));
            return new Lookup.New();
        }
        Octets response = entry.response;
        return response == null ? new Lookup.Silent() : new Lookup.Known(response);
    }

    /** Remembers the response to a request that was taken up. */
    synchronized void put(Key key, Octets response) {
        Entry entry = entries.get(key);
        if (entry != null) {
            entry.response = response;
        }
    }

    /** Lets the same request be served anew, since this time it could not. */
    synchronized void forget(Key key) {
        entries.remove(key);
    }

    private void dropOld(long nowNs) {
        Iterator<Entry> oldestFirst = entries.values().iterator();
        while (oldestFirst.hasNext()) {
            boolean old = nowNs - oldestFirst.next().takenUpNs >= keepNs;
            if (!old && entries.size() < capacity) {
                return;
            }
            oldestFirst.remove();
        }
    }
}

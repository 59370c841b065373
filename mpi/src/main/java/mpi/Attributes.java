package mpi;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The attributes of an object, and the keys of all of them (MPI's attribute caching). */
final class Attributes {

    /** Keys of communicators, datatypes and windows are not each other's. */
    enum Holder {
        COMMUNICATOR,
        DATATYPE,
        WINDOW
    }

    /** Below are MPI's predefined keys. */
    private static final AtomicInteger NEXT = new AtomicInteger(1000);

    private static final Map<Integer, Holder> KEYS = new ConcurrentHashMap<>();

    private final Holder holder;
    private final Map<Integer, Object> values = new ConcurrentHashMap<>();

    Attributes(Holder holder) {
        this.holder = holder;
    }

    static int createKey(Holder holder) {
        int key = NEXT.getAndIncrement();
        KEYS.put(key, holder);
        return key;
    }

    static void freeKey(Holder holder, int key) {
        if (!KEYS.remove(key, holder)) {
            throw unknown(holder, key);
        }
    }

    private static MPIException unknown(Holder holder, int key) {
        return new MPIException(
                ErrorClass.KEYVAL,
                "key %d is not one that createKeyval returned for a %s"
                        .formatted(key, holder.name().toLowerCase(java.util.Locale.ROOT)));
    }

    private void check(int key) {
        if (KEYS.get(key) != holder) {
            throw unknown(holder, key);
        }
    }

    void set(int key, Object value) {
        check(key);
        values.put(key, value);
    }

    /** The value; null when it was not set. */
    @Nullable Object get(int key) {
        check(key);
        return values.get(key);
    }

    /** Removes the value, also that of a key which was freed meanwhile. */
    void delete(int key) {
        if (values.remove(key) == null) {
            check(key);
        }
    }

    /** What a duplicate has: the bindings have no copy callbacks, so all values. */
    void copyTo(Attributes other) {
        other.values.putAll(values);
    }
}

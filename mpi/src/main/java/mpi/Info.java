package mpi;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Keys and values, in the order in which the keys were set (MPI_Info). */
public final class Info implements Freeable, Cloneable {

    private @Nullable Map<String, String> entries;

    /** Without a key (MPI_Info_create). */
    public Info() throws MPIException {
        this(new LinkedHashMap<>());
    }

    private Info(@Nullable Map<String, String> entries) {
        this.entries = entries;
    }

    static Info ofNull() {
        return new Info(null);
    }

    /** The info object that a call was given, which may be INFO_NULL. */
    static Info given(@Nullable Info info) {
        if (info == null) {
            throw new MPIException(ErrorClass.INFO, "the info object is null; INFO_NULL is none");
        }
        return info;
    }

    private Map<String, String> entries() {
        if (entries == null) {
            throw new MPIException(ErrorClass.INFO, "the info object is null or was freed");
        }
        return entries;
    }

    private static String checkKey(String key) {
        if (key == null) {
            throw new MPIException(ErrorClass.INFO_KEY, "the key is null");
        }
        if (key.isEmpty() || key.length() > MPI.MAX_INFO_KEY) {
            throw new MPIException(
                    ErrorClass.INFO_KEY,
                    "key '%s' has %d characters, not 1 to %d"
                            .formatted(key, key.length(), MPI.MAX_INFO_KEY));
        }
        return key;
    }

    /** Sets a key's value (MPI_Info_set). */
    public void set(String key, String value) throws MPIException {
        try {
            if (value == null) {
                throw new MPIException(
                        ErrorClass.INFO_VALUE, "the value of key '%s' is null".formatted(key));
            }
            if (value.length() > MPI.MAX_INFO_VAL) {
                throw new MPIException(
                        ErrorClass.INFO_VALUE,
                        "the value of key '%s' has %d characters, more than %d"
                                .formatted(key, value.length(), MPI.MAX_INFO_VAL));
            }
            synchronized (this) {
                entries().put(checkKey(key), value);
            }
        } catch (RuntimeException failed) {
            throw Errors.raise(failed);
        }
    }

    /** A key's value, null without one (MPI_Info_get). */
    public @Nullable String get(String key) throws MPIException {
        try {
            synchronized (this) {
                return entries().get(checkKey(key));
            }
        } catch (RuntimeException failed) {
            throw Errors.raise(failed);
        }
    }

    /** Removes a key (MPI_Info_delete). */
    public void delete(String key) throws MPIException {
        try {
            synchronized (this) {
                if (entries().remove(checkKey(key)) == null) {
                    throw new MPIException(ErrorClass.INFO_NOKEY, "there is no key '" + key + "'");
                }
            }
        } catch (RuntimeException failed) {
            throw Errors.raise(failed);
        }
    }

    /** How many keys there are (MPI_Info_get_nkeys). */
    public int size() throws MPIException {
        try {
            synchronized (this) {
                return entries().size();
            }
        } catch (RuntimeException failed) {
            throw Errors.raise(failed);
        }
    }

    /** The i-th key, from 0 on (MPI_Info_get_nthkey). */
    public String getKey(int i) throws MPIException {
        try {
            synchronized (this) {
                if (i < 0 || i >= entries().size()) {
                    throw new MPIException(
                            ErrorClass.ARG, "key " + i + ": there are " + entries().size());
                }
                return entries().keySet().stream().skip(i).findFirst().orElseThrow();
            }
        } catch (RuntimeException failed) {
            throw Errors.raise(failed);
        }
    }

    /** An info object with the same keys and values (MPI_Info_dup). */
    @Override
    @SuppressWarnings("MissingSuperCall") // a final class
    public Info clone() {
        return dup();
    }

    /** An info object with the same keys and values (MPI_Info_dup). */
    public Info dup() throws MPIException {
        try {
            synchronized (this) {
                return new Info(new LinkedHashMap<>(entries()));
            }
        } catch (RuntimeException failed) {
            throw Errors.raise(failed);
        }
    }

    /** A copy of what a program passes as hints, which may be INFO_NULL. */
    Info copy() {
        synchronized (this) {
            return new Info(entries == null ? new LinkedHashMap<>() : new LinkedHashMap<>(entries));
        }
    }

    /** Makes it INFO_NULL (MPI_Info_free). */
    @Override
    public void free() throws MPIException {
        try {
            synchronized (this) {
                Map<String, String> _ = entries();
                entries = null;
            }
        } catch (RuntimeException failed) {
            throw Errors.raise(failed);
        }
    }

    /** Whether it is INFO_NULL, or was freed. */
    public boolean isNull() {
        synchronized (this) {
            return entries == null;
        }
    }
}

package mpi;

import org.jspecify.annotations.Nullable;

/** A number of elements that may exceed an {@code int} (MPI_Count). */
@SuppressWarnings({"rawtypes", "ComparableType"}) // the API's own declaration
public final class Count implements Comparable {

    private long count;

    /** A number. */
    public Count(long count) {
        this.count = count;
    }

    /** The number. */
    public long getCount() {
        return count;
    }

    /** Changes the number. */
    public void setCount(long count) {
        this.count = count;
    }

    @Override
    public boolean equals(@Nullable Object obj) {
        return obj instanceof Count other && other.count == count;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(count);
    }

    @Override
    public int compareTo(Object obj) {
        return Long.compare(count, ((Count) obj).count);
    }

    @Override
    public String toString() {
        return Long.toString(count);
    }
}

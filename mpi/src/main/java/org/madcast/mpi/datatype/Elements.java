package org.madcast.mpi.datatype;

import java.util.ArrayList;
import java.util.List;

/**
 * The basic elements of a type in the order of its type map, without their places: what
 * MPI_Get_elements counts. A tree, so that a type of a million records stays small.
 *
 * @param bytes the data of all elements
 * @param count how many elements there are
 * @param repeat how often the parts, or else one element, follow each other
 * @param parts empty for elements of one length
 */
public record Elements(long bytes, long count, long repeat, List<Elements> parts) {

    /** No element. */
    public static final Elements NONE = new Elements(0, 0, 0, List.of());

    /** Elements of one length. */
    public static Elements of(long elementBytes, long count) {
        return count == 0 ? NONE : new Elements(elementBytes * count, count, count, List.of());
    }

    /** These elements, {@code times} times. */
    public Elements times(long times) {
        if (times == 0 || count == 0) {
            return NONE;
        }
        if (times == 1) {
            return this;
        }
        return parts.isEmpty()
                ? of(bytes / count, count * times)
                : new Elements(bytes * times, count * times, repeat * times, parts);
    }

    /** All elements of a list, one behind the other. */
    public static Elements sequence(List<Elements> all) {
        List<Elements> parts = new ArrayList<>();
        for (Elements each : all) {
            if (each.count == 0) {
                continue;
            }
            Elements last = parts.isEmpty() ? NONE : parts.getLast();
            if (last.isUniform(each)) {
                parts.set(parts.size() - 1, of(each.bytes / each.count, last.count + each.count));
            } else {
                parts.add(each);
            }
        }
        if (parts.size() <= 1) {
            return parts.isEmpty() ? NONE : parts.getFirst();
        }
        long bytes = parts.stream().mapToLong(Elements::bytes).sum();
        long count = parts.stream().mapToLong(Elements::count).sum();
        return new Elements(bytes, count, 1, List.copyOf(parts));
    }

    private boolean isUniform(Elements other) {
        return count > 0
                && parts.isEmpty()
                && other.parts.isEmpty()
                && bytes / count == other.bytes / other.count;
    }

    /**
     * How many whole elements the first bytes of a message are, when its elements are these, as
     * often as needed.
     *
     * @return -1 when the last element is not whole
     */
    public long within(long messageBytes) {
        if (bytes == 0) {
            return messageBytes == 0 ? 0 : -1;
        }
        if (parts.isEmpty()) {
            long one = bytes / count;
            return messageBytes % one == 0 ? messageBytes / one : -1;
        }
        long once = bytes / repeat;
        long found = messageBytes / once * (count / repeat);
        long rest = messageBytes % once;
        for (Elements part : parts) {
            if (rest < part.bytes) {
                long some = part.within(rest);
                return some < 0 ? -1 : found + some;
            }
            found += part.count;
            rest -= part.bytes;
        }
        return found;
    }
}

package org.madcast.client.schedule;

/**
 * A part of one of the buffers of a collective call.
 *
 * @param buffer which
 * @param offset where it begins, in elements
 * @param count how many elements it has
 */
public record Slice(Buffer buffer, long offset, long count) {

    /** The buffers of a call. */
    public enum Buffer {
        /** What the caller contributes; never written. */
        INPUT,
        /** What the caller gets. */
        OUTPUT,
        /** Memory of the call's own, as much as {@link Schedule#scratch} says. */
        SCRATCH
    }

    /** Refuses what no buffer has. */
    public Slice {
        if (offset < 0 || count < 0) {
            throw new IllegalArgumentException(offset + " + " + count + " elements");
        }
    }

    static Slice input(long offset, long count) {
        return new Slice(Buffer.INPUT, offset, count);
    }

    static Slice output(long offset, long count) {
        return new Slice(Buffer.OUTPUT, offset, count);
    }

    static Slice scratch(long offset, long count) {
        return new Slice(Buffer.SCRATCH, offset, count);
    }

    /** A part of this slice. */
    Slice part(long from, long elements) {
        return new Slice(buffer, offset + from, elements);
    }
}

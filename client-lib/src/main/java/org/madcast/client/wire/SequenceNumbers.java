package org.madcast.client.wire;

/**
 * The wire carries the low 32 bits of numbers that are 64 bits wide here; as all numbers in flight
 * lie within a window far below 2^31, the nearest number to one that is known is the right one.
 */
public final class SequenceNumbers {

    private SequenceNumbers() {}

    /** The number nearest to {@code reference} whose low 32 bits are {@code wire}. */
    public static long extend(long reference, int wire) {
        return reference + (wire - (int) reference);
    }
}

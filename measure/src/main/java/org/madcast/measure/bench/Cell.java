package org.madcast.measure.bench;

/**
 * What a row of the result is about: messages of one size, broadcast in one way.
 *
 * @param algorithm a name that the ranks know, or {@link #FLOOR}
 * @param root the rank that sends, or, of other calls, the one that they name
 */
public record Cell(String algorithm, int sizeBytes, int root) {

    /** The bare network: paced multicast without any reliability. */
    public static final String FLOOR = "floor";

    /** From rank 0. */
    public Cell(String algorithm, int sizeBytes) {
        this(algorithm, sizeBytes, 0);
    }

    /** True for the bare network. */
    public boolean isFloor() {
        return algorithm.equals(FLOOR);
    }
}

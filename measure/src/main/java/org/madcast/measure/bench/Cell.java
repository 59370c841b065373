package org.madcast.measure.bench;

/**
 * What a row of the result is about: messages of one size, broadcast in one way.
 *
 * @param algorithm a name that the ranks know, or {@link #FLOOR}
 */
public record Cell(String algorithm, int sizeBytes) {

    /** The bare network: paced multicast without any reliability. */
    public static final String FLOOR = "floor";

    /** True for the bare network. */
    public boolean isFloor() {
        return algorithm.equals(FLOOR);
    }
}

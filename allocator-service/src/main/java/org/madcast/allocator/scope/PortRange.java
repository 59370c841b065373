package org.madcast.allocator.scope;

/**
 * The ports of a scope.
 *
 * @param first the lowest
 * @param last the highest that may be used
 * @param step the distance from one to the next; 2 keeps the parity of the first
 */
public record PortRange(int first, int last, int step) {

    /** Refuses what are no ports. */
    public PortRange {
        if (first < 1 || last < first || last > 65535 || step < 1) {
            throw new IllegalArgumentException(
                    "no port range: " + first + " to " + last + " by " + step);
        }
    }

    /** How many ports there are. */
    public int size() {
        return (last - first) / step + 1;
    }

    /** The port with this number; numbers beyond the last start over. */
    public int portAt(long number) {
        return first + step * (int) Math.floorMod(number, (long) size());
    }

    @Override
    public String toString() {
        return first + "-" + last + (step == 1 ? "" : " by " + step);
    }
}

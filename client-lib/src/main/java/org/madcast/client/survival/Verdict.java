package org.madcast.client.survival;

import java.util.BitSet;

/**
 * What ranks agree on.
 *
 * @param flags the bits that all contributions have
 * @param absent the ranks that are lost or have closed the communicator
 */
public record Verdict(long flags, BitSet absent) {

    /** Takes a copy. */
    public Verdict {
        absent = (BitSet) absent.clone();
    }

    /** A copy. */
    @Override
    public BitSet absent() {
        return (BitSet) absent.clone();
    }

    /** The verdict that follows from this one and another. */
    Verdict and(Verdict other) {
        BitSet both = absent();
        both.or(other.absent);
        return new Verdict(flags & other.flags, both);
    }
}

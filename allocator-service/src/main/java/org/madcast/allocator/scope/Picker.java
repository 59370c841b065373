package org.madcast.allocator.scope;

/**
 * In which order the places of a pool are dealt out for the first time. Later the place that has
 * been free for longest comes first, whatever the picker.
 */
public enum Picker {
    /** A pseudo-random permutation: neighbours in time lie far apart. */
    PERMUTATION {
        @Override
        long placeAt(long slotNumber, long size, long seed) {
            return new PoolPermutation(size, seed).at(slotNumber);
        }

        @Override
        long slotAt(long place, long size, long seed) {
            return new PoolPermutation(size, seed).placeOf(place);
        }
    },
    /** From the lowest address up. */
    SEQUENTIAL {
        @Override
        long placeAt(long slotNumber, long size, long seed) {
            return slotNumber;
        }

        @Override
        long slotAt(long place, long size, long seed) {
            return place;
        }
    };

    /** The place that a slot stands for. */
    abstract long placeAt(long slotNumber, long size, long seed);

    /** The slot that stands for a place. */
    abstract long slotAt(long place, long size, long seed);
}

package org.madcast.client.collective;

/** Trees over the distances 0 to size - 1; 0 is the root. */
enum TreeShape {
    CHAIN {
        @Override
        int child(int index, int distance, int size) {
            return index == 0 ? within(distance + 1L, size) : NONE;
        }

        @Override
        int parent(int distance) {
            return distance - 1;
        }
    },
    LINEAR {
        @Override
        int child(int index, int distance, int size) {
            return distance == 0 ? within(index + 1L, size) : NONE;
        }

        @Override
        int parent(int distance) {
            return 0;
        }
    },
    BINARY {
        @Override
        int child(int index, int distance, int size) {
            return index < 2 ? within(2L * distance + 1 + index, size) : NONE;
        }

        @Override
        int parent(int distance) {
            return (distance - 1) / 2;
        }
    },
    /** A child differs from its parent in one bit above the parent's highest. */
    BINOMIAL {
        @Override
        int child(int index, int distance, int size) {
            int bits = 32 - Integer.numberOfLeadingZeros(distance);
            return bits + index > 30 ? NONE : within(distance + (1L << (bits + index)), size);
        }

        @Override
        int parent(int distance) {
            return distance ^ Integer.highestOneBit(distance);
        }
    };

    static final int NONE = -1;

    /** The index-th child of a distance, or {@link #NONE}. */
    abstract int child(int index, int distance, int size);

    /** The parent of a distance that is not 0. */
    abstract int parent(int distance);

    private static int within(long distance, int size) {
        return distance < size ? (int) distance : NONE;
    }
}

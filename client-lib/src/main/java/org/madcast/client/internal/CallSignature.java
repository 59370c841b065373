package org.madcast.client.internal;

/**
 * What all ranks must agree on in a collective call, in the 64 bits that its messages carry: the
 * operation (8 bits, never 0), the root (24 bits) and a length (32 bits).
 */
final class CallSignature {

    private CallSignature() {}

    /** The operations. The order is the wire's. */
    enum Operation {
        /** No collective call. */
        NONE,
        BARRIER,
        GATHER,
        GATHERV,
        SCATTER,
        SCATTERV,
        ALLGATHER,
        ALLGATHERV,
        ALLTOALL,
        ALLTOALLV,
        REDUCE,
        ALLREDUCE,
        REDUCE_SCATTER,
        SCAN,
        EXSCAN,
        NEIGHBOR_ALLGATHER,
        NEIGHBOR_ALLTOALL,
        SPLIT;

        private static final Operation[] ALL = values();
    }

    /**
     * Packs.
     *
     * @param root the root, or 0
     * @param bytes what must be of one length on all ranks, or 0 where nothing is
     */
    static long of(Operation operation, int root, long bytes) {
        return (long) operation.ordinal() << 56 | (long) root << 32 | bytes & 0xFFFF_FFFFL;
    }

    /** In words: what a rank called. */
    static String describe(long call) {
        int code = (int) (call >>> 56);
        if (code == 0 || code >= Operation.ALL.length) {
            return "no collective call that this version knows";
        }
        String name = Operation.ALL[code].name().toLowerCase(java.util.Locale.ROOT);
        int root = (int) (call >>> 32) & 0xFF_FFFF;
        return "%s (root %d, %d bytes)".formatted(name, root, call & 0xFFFF_FFFFL);
    }
}

package org.madcast.client.internal;

import java.util.Arrays;
import java.util.Locale;
import org.madcast.client.message.Transfer;

/**
 * What all ranks must agree on in a collective call, in the 64 bits that its messages carry: the
 * operation (7 bits; 0 for a broadcast of the engine, which has no messages), the root (24 bits)
 * and a length (32 bits). The highest bit is {@link Transfer#SPOILED}.
 */
final class CallSignature {

    private CallSignature() {}

    /** The operations, with the codes of the wire. */
    enum Operation {
        BARRIER(1),
        GATHER(2),
        GATHERV(3),
        SCATTER(4),
        SCATTERV(5),
        ALLGATHER(6),
        ALLGATHERV(7),
        ALLTOALL(8),
        ALLTOALLV(9),
        REDUCE(10),
        ALLREDUCE(11),
        REDUCE_SCATTER(12),
        SCAN(13),
        EXSCAN(14),
        BCAST(15),
        /** Messages between some ranks, or neighbours. */
        EXCHANGE(24);

        private final int code;

        Operation(int code) {
            this.code = code;
        }
    }

    /**
     * Packs.
     *
     * @param root the root, or 0
     * @param bytes what must be of one length on all ranks, or 0 where nothing is
     */
    static long of(Operation operation, int root, long bytes) {
        return ofBroadcast(operation.code, root, bytes);
    }

    /** Of one of the broadcasts of an operation; kind 0 is a broadcast by itself. */
    static long ofBroadcast(int kind, int root, long bytes) {
        return ((long) kind << 56) | ((long) root << 32) | (bytes & 0xFFFF_FFFFL);
    }

    /** The operation, as the profile of calls numbers them. */
    static int kind(long call) {
        return (int) (call >>> 56);
    }

    /** Whether two calls have one operation and one root, and not one length. */
    static boolean differInLength(long one, long other) {
        return one != other && one >>> 32 == other >>> 32;
    }

    /** Whether it is that of a broadcast. */
    static boolean isBroadcast(long call) {
        return call >>> 56 == Operation.BCAST.code;
    }

    /** The name of an operation; a broadcast by multicast has the code 0. */
    static String name(long code) {
        return Arrays.stream(Operation.values())
                .filter(it -> it.code == code || (code == 0 && it == Operation.BCAST))
                .map(it -> it.name().toLowerCase(Locale.ROOT))
                .findFirst()
                .orElse("operation " + code);
    }

    /** In words: what a rank called. */
    static String describe(long call) {
        int root = (int) (call >>> 32) & 0xFF_FFFF;
        return "%s (root %d, %d bytes)".formatted(name(kind(call)), root, call & 0xFFFF_FFFFL);
    }
}

package org.madcast.client.protocol;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.madcast.client.wire.DatagramLayout;

/**
 * Why a communicator can do nothing any more; every rank hears of it.
 *
 * @param kind what happened
 * @param rank the dead rank, or the rank whose call differs
 * @param broadcast the broadcast concerned, 0-based; 0 when none is
 * @param expected for a mismatch what the other side named
 * @param actual for a mismatch what {@code rank} named
 */
public record Failure(Kind kind, int rank, long broadcast, long expected, long actual) {

    /** What happened. */
    public enum Kind {
        /** A rank was silent for the death timeout. */
        RANK_DIED(0),
        /** A rank closed the communicator while others still call. */
        RANK_LEFT(1),
        /** Two ranks named different message lengths. */
        SIZE_MISMATCH(2),
        /** Two ranks named different roots. */
        ROOT_MISMATCH(3),
        /** Two ranks named different algorithms. */
        ALGORITHM_MISMATCH(4),
        /** A fragment that no rank of this communicator can have sent lay in the stream. */
        STREAM_FORGED(5),
        /** One rank called a barrier, another a broadcast. */
        OPERATION_MISMATCH(6),
        /** A fragment that was announced did not come, though every rank was alive. */
        FRAGMENT_MISSING(7),
        /** The memory of a message was freed while its broadcast was under way. */
        MEMORY_FREED(8),
        /** A rank has revoked the communicator. */
        REVOKED(9),
        /** Two ranks called different collective operations. */
        CALL_MISMATCH(10);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        /** The number on the wire. */
        int code() {
            return code;
        }

        static Kind of(int code) {
            for (Kind kind : values()) {
                if (kind.code == code) {
                    return kind;
                }
            }
            return RANK_DIED;
        }
    }

    /** How a rank was found to be dead; on the wire the value of {@code actual}. */
    enum Death {
        /** Its neighbour in the tree heard nothing from it for the death timeout. */
        SILENT(0),
        /** It is a root that did not answer a receiver for the death timeout. */
        UNANSWERED(1),
        /** A program marked it as failed. */
        MARKED(2),
        /** Its connection for messages broke, or it did not answer there. */
        DISCONNECTED(3);

        private final int code;

        Death(int code) {
            this.code = code;
        }
    }

    /** The noticing rank is one too many in {@code expected}: 0 is what older ranks send. */
    static Failure ofDead(int rank, int noticedBy, Death how) {
        return new Failure(Kind.RANK_DIED, rank, 0, noticedBy + 1L, how.code);
    }

    /** How the rank was found to be dead, without a number of any rank. */
    public String reason() {
        if (expected == 0) {
            return "it does not answer any more";
        }
        if (actual == Death.MARKED.code) {
            return "a program marked it as failed";
        }
        if (actual == Death.DISCONNECTED.code) {
            return "the connection to it broke";
        }
        return actual == Death.UNANSWERED.code
                ? "it has not answered for the death timeout"
                : "nothing has come from it for the death timeout";
    }

    private String describeDeath() {
        String noticed = expected == 0 ? "" : " (noticed by rank " + (expected - 1) + ")";
        return "rank " + rank + " is lost: " + reason() + noticed;
    }

    /** Two fragments with one sequence, from different roots; null when it is the same root. */
    static @Nullable Failure ofRoots(MemorySegment first, MemorySegment second) {
        int expected = DatagramLayout.root(first);
        int actual = DatagramLayout.root(second);
        long broadcast = DatagramLayout.broadcast(first) & 0xffff_ffffL;
        return expected == actual
                ? null
                : new Failure(Kind.ROOT_MISMATCH, actual, broadcast, expected, actual);
    }

    /** A sentence for people. */
    public String describe() {
        return switch (kind) {
            case RANK_DIED -> describeDeath();
            case RANK_LEFT -> "rank " + rank + " has closed the communicator";
            case SIZE_MISMATCH ->
                    "broadcast %d: rank %d called with %d bytes, the root sends %d"
                            .formatted(broadcast, rank, actual, expected);
            case ROOT_MISMATCH ->
                    "broadcast %d: rank %d named rank %d as root, another rank %d"
                            .formatted(broadcast, rank, actual, expected);
            case ALGORITHM_MISMATCH ->
                    "broadcast %d: rank %d named algorithm number %d, another %d"
                            .formatted(broadcast, rank, actual, expected);
            case OPERATION_MISMATCH ->
                    "call %d: rank %d called a barrier, another a broadcast from rank %d"
                            .formatted(broadcast, rank, expected);
            case CALL_MISMATCH ->
                    "call %d: rank %d called collective operation %d, another %d (0: bcast)"
                            .formatted(broadcast, rank, actual, expected);
            case FRAGMENT_MISSING ->
                    ("rank %d asked in vain for fragment %d of the stream, which rank %d announced;"
                                    + " every rank is alive. Either the network drops large"
                                    + " datagrams, or another program sends with this"
                                    + " communicator's token")
                            .formatted(rank, expected, actual);
            case MEMORY_FREED ->
                    ("call %d: the program of rank %d freed the memory of its message before the"
                                    + " broadcast was complete")
                            .formatted(broadcast, rank);
            case REVOKED -> "rank " + rank + " has revoked the communicator";
            case STREAM_FORGED ->
                    ("broadcast %d: rank %d found fragment %d where fragment %d was due;"
                                    + " another program sends with this communicator's token")
                            .formatted(broadcast, rank, actual, expected);
        };
    }
}

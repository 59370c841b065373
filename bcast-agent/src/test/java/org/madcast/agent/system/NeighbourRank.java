package org.madcast.agent.system;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.madcast.client.Communicator;
import org.madcast.client.ElementType;
import org.madcast.client.MadcastException;
import org.madcast.client.ReduceOperation;

/**
 * A rank of a job whose ranks may run different versions of the library: it uses only what the
 * earliest of them has. Its argument says what it does after it has joined.
 */
public final class NeighbourRank {

    static final String BROADCASTS = "broadcasts";

    /** Messages only, which the ranks refuse each other: they print why, and end well. */
    static final String REFUSED = "refused";

    private static final int FAILED = 42;
    private static final int BYTES = 100_000;
    private static final int TAG = 7;

    private NeighbourRank() {}

    /** Joins, does what the argument says, and leaves. */
    public static void main(String[] arguments) {
        try (Communicator ranks = Communicator.fromEnvironment();
                Arena arena = Arena.ofShared()) {
            if (!arguments[0].equals(REFUSED)) {
                broadcast(ranks, arena.allocate(BYTES));
            }
            if (!arguments[0].equals(BROADCASTS)) {
                exchange(ranks, arena);
            }
            System.out.println(
                    "rank "
                            + ranks.rank()
                            + " "
                            + ranks.info().groupSource()
                            + " "
                            + ranks.info().group());
        } catch (MadcastException e) {
            System.out.println(e.getClass().getSimpleName() + ": " + e.getMessage());
            System.exit(arguments[0].equals(REFUSED) ? 0 : FAILED);
        }
    }

    /** Each rank is the root of one broadcast. */
    private static void broadcast(Communicator ranks, MemorySegment data) {
        for (int root = 0; root < ranks.size(); root++) {
            data.fill((byte) (ranks.rank() == root ? root + 1 : 0));
            ranks.bcast(data, root);
            for (long at = 0; at < BYTES; at++) {
                if (data.get(ValueLayout.JAVA_BYTE, at) != root + 1) {
                    throw new IllegalStateException("wrong byte " + at + " from " + root);
                }
            }
        }
        ranks.barrier();
    }

    /** Each rank sends its number to the next one, and all add theirs up. */
    private static void exchange(Communicator ranks, Arena arena) {
        int size = ranks.size();
        int before = (ranks.rank() + size - 1) % size;
        MemorySegment own = arena.allocate(ValueLayout.JAVA_LONG);
        MemorySegment got = arena.allocate(ValueLayout.JAVA_LONG);
        own.set(ValueLayout.JAVA_LONG, 0, ranks.rank() + 1L);
        ranks.sendRecv(own, (ranks.rank() + 1) % size, TAG, got, before, TAG);
        require(got.get(ValueLayout.JAVA_LONG, 0), before + 1L);
        ranks.allreduce(own, got, ReduceOperation.sum(ElementType.LONG));
        require(got.get(ValueLayout.JAVA_LONG, 0), size * (size + 1L) / 2);
    }

    private static void require(long found, long expected) {
        if (found != expected) {
            throw new IllegalStateException(found + " instead of " + expected);
        }
    }
}

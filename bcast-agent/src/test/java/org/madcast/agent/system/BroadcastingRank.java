package org.madcast.agent.system;

import java.lang.foreign.Arena;
import org.madcast.client.Communicator;
import org.madcast.client.MadcastException;

/** A user's program: joins, broadcasts from rank 0 as many bytes as its argument says, leaves. */
public final class BroadcastingRank {

    static final int FAILED = 42;

    private BroadcastingRank() {}

    /** The arguments are the sizes in bytes, one for each rank. */
    public static void main(String[] sizes) {
        try (Communicator communicator = Communicator.fromEnvironment();
                Arena arena = Arena.ofShared()) {
            long bytes = Long.parseLong(sizes[communicator.rank()]);
            communicator.bcast(arena.allocate(bytes), 0);
            System.out.println(
                    "rank "
                            + communicator.rank()
                            + " "
                            + communicator.info().groupSource()
                            + " "
                            + communicator.info().group());
        } catch (MadcastException | IllegalArgumentException e) {
            System.err.println(e.getClass().getSimpleName() + ": " + e.getMessage());
            System.exit(FAILED);
        }
    }
}

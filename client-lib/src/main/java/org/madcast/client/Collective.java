package org.madcast.client;

import java.util.concurrent.CompletableFuture;

/**
 * A collective call whose arguments are fixed (MPI's persistent collectives). It can be run again
 * and again, one run at a time, and reads and writes the same buffers each time. All ranks make
 * their calls in the same order; a call takes its place in that order when it starts.
 */
public interface Collective {

    /**
     * Starts (MPI_Start). It goes on while the program computes; the buffers belong to the library
     * until the future has ended.
     *
     * @return ends with null, or with the {@link MadcastException} that ended the call
     * @throws IllegalStateException while it runs already, or when the communicator is closed
     */
    CompletableFuture<Void> start();

    /** Runs to its end. */
    default void run() {
        MadcastException.join(start());
    }
}

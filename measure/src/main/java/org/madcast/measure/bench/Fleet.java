package org.madcast.measure.bench;

import java.io.IOException;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.madcast.agent.cluster.Cluster;

/**
 * The rank processes of one launch, however they are started and spoken to. Each understands the
 * lines that {@link BenchRank} lists. Any thread may call any method.
 */
public interface Fleet {

    /** Starts one process on each host. */
    @FunctionalInterface
    interface Starter {
        /**
         * Starts them, or leaves nothing behind and throws.
         *
         * @param launch the number of the launch, from 0
         * @param heard takes each line that a rank says, with the rank
         */
        Fleet start(Cluster cluster, int launch, BiConsumer<Integer, String> heard)
                throws IOException;
    }

    /** Sends every rank the same line. */
    void tell(String line);

    /** Sends one rank a line. */
    void tell(int rank, String line);

    /** What a rank is called in messages. */
    String name(int rank);

    /** Why some rank will say nothing any more; empty as long as all of them live. */
    Optional<String> trouble();

    /** Waits a little for the ranks to leave, then ends those that are left. */
    void end();
}

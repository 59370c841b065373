package org.madcast.client.lease;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.Optional;

/** Where a rank's statistics go. */
@FunctionalInterface
public interface ReportChannel {

    /**
     * Sends a report and waits for the answer, at most seven seconds, or two after {@link #hurry}.
     * For one thread.
     *
     * @param report what the service's API calls a report, without who sends it
     * @return the root delays that the service advises, in microseconds by site (size class and,
     *     behind a space, label if there is one; an empty site is any other); nothing when the
     *     report was refused for good
     * @throws IOException when the service did not answer or cannot now, so that the same report
     *     may be sent again
     * @throws InterruptedException when the calling thread was interrupted
     */
    Optional<Map<String, Integer>> send(Map<String, Object> report)
            throws IOException, InterruptedException;

    /**
     * The communicator is closed: a report that is on its way through other ranks is given up, so
     * that it can be sent again, and from now on all go to the service without a detour. From any
     * thread.
     */
    default void hurry() {}

    /** Takes over a connection of a rank that wants its report passed on. From any thread. */
    default void adopt(SocketChannel channel, ByteBuffer first) throws IOException {
        channel.close();
    }
}

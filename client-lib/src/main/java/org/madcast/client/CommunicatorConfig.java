package org.madcast.client;

import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Which communicator to join, as which rank, and who introduces the ranks to each other.
 *
 * @param jobId the job, the same on all of its ranks and unlike any other job's
 * @param name the communicator's name within the job
 * @param rank this process's number
 * @param size how many processes take part
 * @param serviceUri the allocation service, such as {@code http://127.0.0.1:8730}, or null
 * @param serviceToken the bearer token for the service, or null
 * @param rootAddress where rank 0 waits for the others when there is no service, or null
 * @param networkInterface the interface by name or by one of its addresses, or null for the one
 *     that leads to the service or to rank 0
 * @param group a fixed group instead of a leased one, or null
 * @param joinTimeout how long to wait for the other ranks
 * @param parameters how to broadcast
 */
public record CommunicatorConfig(
        String jobId,
        String name,
        int rank,
        int size,
        @Nullable URI serviceUri,
        @Nullable String serviceToken,
        @Nullable InetSocketAddress rootAddress,
        @Nullable String networkInterface,
        @Nullable MulticastGroup group,
        Duration joinTimeout,
        BroadcastParameters parameters) {

    /** Refuses ranks out of range, with the values in the message. */
    public CommunicatorConfig {
        if (size < 1 || size > 65535) {
            throw new IllegalArgumentException("size " + size + " is outside 1 to 65535");
        }
        if (rank < 0 || rank >= size) {
            throw new IllegalArgumentException(
                    "rank " + rank + " is outside 0 to " + (size - 1) + " (size " + size + ")");
        }
    }
}

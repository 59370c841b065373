package org.madcast.allocator.statistics;

import java.util.UUID;
import org.madcast.allocator.web.Requester;

/**
 * The rank that sends reports, and its proof.
 *
 * @param by whose token the request brings
 * @param communicator its communicator
 * @param rank its number
 * @param instance its process
 * @param secret what it got when it registered; empty when none was shown
 */
public record Reporter(Requester by, UUID communicator, int rank, UUID instance, String secret) {

    @Override
    public String toString() {
        return "Reporter[" + communicator + " " + rank + "]";
    }
}

package org.madcast.client.message;

import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.madcast.client.JobKey;

/**
 * How the ranks of a world reach and recognise each other.
 *
 * @param self the number of this rank
 * @param addresses where each rank listens
 * @param token what only ranks of this world know; without a key it is their proof
 * @param key null: the messages are not sealed
 * @param sharesMemory whether messages to ranks of this host may go through shared memory
 * @param pollNs how long a call that waits polls, where processors are free, before it sleeps
 */
public record MessageWorld(
        int self,
        List<InetSocketAddress> addresses,
        long token,
        @Nullable JobKey key,
        boolean sharesMemory,
        long pollNs) {}

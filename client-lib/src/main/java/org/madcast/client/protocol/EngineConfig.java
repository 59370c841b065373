package org.madcast.client.protocol;

import java.util.List;

/**
 * What an engine is made with; the same on all ranks but {@code rank}.
 *
 * @param rank this rank
 * @param size how many ranks there are
 * @param token marks this communicator's datagrams
 * @param datagramBytes the largest datagram, header included
 * @param windowFragments how many fragments are retained and may be in flight; a power of two
 * @param checksums whether a CRC-32C is computed and checked
 * @param deathTimeoutNs how long a silent rank counts as alive
 * @param probeTimeoutNs how long rank 0 waits for all to hear the group
 * @param rateLimits how fast a root sends at most
 * @param gatherNs how long arriving datagrams of a long message may gather at most
 * @param disseminations the algorithms, by the code that datagrams carry
 * @param unicastAlgorithm the code of the one that serves when multicast has died
 */
public record EngineConfig(
        int rank,
        int size,
        long token,
        int datagramBytes,
        int windowFragments,
        boolean checksums,
        long deathTimeoutNs,
        long probeTimeoutNs,
        RateLimits rateLimits,
        long gatherNs,
        List<Dissemination> disseminations,
        int unicastAlgorithm) {

    /** The least {@link #datagramBytes} with which every control datagram can be sent. */
    public static final int LEAST_DATAGRAM_BYTES = ControlQueue.MAX_BYTES;
}

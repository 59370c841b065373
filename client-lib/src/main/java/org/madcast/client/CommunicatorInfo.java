package org.madcast.client;

import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a communicator agreed on when it was made; the same on every rank except {@code local}.
 *
 * @param jobId the job
 * @param name the communicator's name within the job
 * @param group where fragments are multicast to; null while a communicator that was made out of
 *     another one has no group
 * @param groupSource who chose the group
 * @param scope the pool that the group was leased from, null when it was not leased
 * @param leaseId the lease, null when the group was not leased
 * @param leaseExpiresAt when the lease ends unless it is renewed, null when there is none
 * @param token the 64-bit number that marks this communicator's datagrams
 * @param members the ranks' unicast endpoints, by rank
 * @param local how this rank is attached to the network
 */
public record CommunicatorInfo(
        String jobId,
        String name,
        @Nullable MulticastGroup group,
        GroupSource groupSource,
        @Nullable String scope,
        @Nullable String leaseId,
        @Nullable Instant leaseExpiresAt,
        long token,
        List<InetSocketAddress> members,
        Local local) {

    /**
     * How this rank is attached to the network.
     *
     * @param interfaceName the network interface, such as {@code eth0}
     * @param socketPath which socket implementation serves, {@code nio} or {@code native}
     * @param receiveBufferBytes what the kernel granted the multicast socket
     * @param datagramBytes the largest datagram that this communicator sends, in bytes of UDP
     *     payload
     * @param compilers which compilers of the JVM run: {@code first} with {@code
     *     -XX:TieredStopAtLevel=1}, which suits short messages where ranks share processors, else
     *     {@code both}, or {@code none} with {@code -Xint}
     */
    public record Local(
            String interfaceName,
            String socketPath,
            int receiveBufferBytes,
            int datagramBytes,
            String compilers) {}
}

package org.madcast.client.lease;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.GroupSource;
import org.madcast.client.MulticastGroup;

/**
 * Gets rank 0 another group, when the first one cannot be used any more: from the service, else
 * from an RFC 2730 server, else at random; and keeps its lease until the next one or the end. Safe
 * for every thread.
 */
final class GroupAllocator implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(GroupAllocator.class.getName());

    private final CommunicatorConfig config;
    private final @Nullable ServiceConnection service;
    private @Nullable RenewingLease lease;
    private boolean supplied;
    private boolean closed;

    /** A supply for one communicator; the connection stays the caller's. */
    GroupAllocator(CommunicatorConfig config, @Nullable ServiceConnection service) {
        this.config = config;
        this.service = service;
    }

    /**
     * A group other than the present one, of the same address family. Takes a few seconds at most.
     */
    synchronized ReplacementGroup next(MulticastGroup present) throws InterruptedException {
        RenewingLease fresh = closed ? null : lease(present.address());
        RenewingLease old = lease;
        lease = fresh;
        supplied = true;
        if (old != null) {
            old.close();
        }
        if (fresh != null) {
            return new ReplacementGroup(fresh.group(), fresh.source());
        }
        return random(present);
    }

    /** At random. */
    static ReplacementGroup random(MulticastGroup present) {
        RandomGroups groups = RandomGroups.seeded();
        return new ReplacementGroup(
                isIpv4(present.address()) ? groups.drawIpv4() : groups.drawIpv6(),
                GroupSource.RANDOM);
    }

    /** What the group that was supplied last is leased by; null when it is not, or none was. */
    synchronized @Nullable RenewingLease lease() {
        return lease;
    }

    /** Whether a group was supplied: then what was known of the first one does not matter. */
    synchronized boolean hasSupplied() {
        return supplied;
    }

    private @Nullable RenewingLease lease(InetAddress like) throws InterruptedException {
        if (service != null) {
            try {
                RenewingLease granted = ServiceLease.grant(service, config);
                if (isIpv4(granted.group().address()) == isIpv4(like)) {
                    return granted;
                }
                granted.close();
                warn(service, "its groups are of the other address family");
            } catch (IOException none) {
                warn(service, none.getMessage());
            }
        }
        InetSocketAddress root = peer();
        return root == null || !isIpv4(like)
                ? null
                : MadcapServers.lease(config, root, MadcapServers.MOST).orElse(null);
    }

    private static boolean isIpv4(InetAddress address) {
        return address instanceof Inet4Address;
    }

    private static void warn(ServiceConnection service, @Nullable String reason) {
        LOG.log(
                Level.WARNING,
                "the service at {0} leases no other group: {1}",
                service.base(),
                reason);
    }

    /** An address that is reached over the job's interface. */
    private @Nullable InetSocketAddress peer() {
        URI uri = config.serviceUri();
        return config.rootAddress() == null && uri != null
                ? InetSocketAddress.createUnresolved(uri.getHost(), 1)
                : config.rootAddress();
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (lease != null) {
            lease.close();
        }
    }
}

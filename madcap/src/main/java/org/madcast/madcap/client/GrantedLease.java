package org.madcast.madcap.client;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.madcast.madcap.AddressRange;
import org.madcast.madcap.Feature;
import org.madcast.madcap.LeaseId;
import org.madcast.madcap.NetAddress;

/**
 * A lease as a server acknowledged it, on REQUEST or RENEW.
 *
 * @param leaseId what to renew and to release
 * @param scopeId the scope that the addresses are from
 * @param ranges the addresses, on all ports; not empty
 * @param leaseTime from the start on
 * @param start by the server's clock; null when the lease has started
 * @param serverId who granted it
 * @param features the optional features that the server used, such as {@link
 *     Feature#SERVER_MOBILITY}
 */
public record GrantedLease(
        LeaseId leaseId,
        NetAddress scopeId,
        List<AddressRange> ranges,
        Duration leaseTime,
        @Nullable Instant start,
        NetAddress serverId,
        Set<Feature> features) {

    public GrantedLease {
        ranges = List.copyOf(ranges);
        features = Set.copyOf(features);
    }
}

package org.madcast.madcap.server;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.madcast.madcap.Feature;
import org.madcast.madcap.NestingMatrix;
import org.madcast.madcap.NetAddress;
import org.madcast.madcap.ScopeZone;

/**
 * What {@link ServerAdmission} has to know of a server. Immutable.
 *
 * @param identifiers the server's own addresses; the first stands in its replies
 * @param zones the scopes that it serves
 * @param nesting which of these zones lie inside which
 * @param informationGroups the groups at which it answers GETINFO
 * @param features the optional features that it supports
 * @param clockSkewAllowance by how much a client's clock may differ; RFC 2730 recommends 30 minutes
 */
public record ServerPolicy(
        List<NetAddress> identifiers,
        List<ScopeZone> zones,
        NestingMatrix nesting,
        Set<NetAddress> informationGroups,
        Set<Feature> features,
        Duration clockSkewAllowance) {

    /** [CLOCK-SKEW-ALLOWANCE] of RFC 2730, appendix B. */
    public static final Duration DEFAULT_CLOCK_SKEW_ALLOWANCE = Duration.ofMinutes(30);

    public ServerPolicy {
        identifiers = List.copyOf(identifiers);
        zones = List.copyOf(zones);
        informationGroups = Set.copyOf(informationGroups);
        features = Set.copyOf(features);
        if (identifiers.isEmpty()) {
            throw new IllegalArgumentException("A server needs an identifier");
        }
        if (nesting.zoneCount() != zones.size()) {
            throw new IllegalArgumentException(
                    zones.size() + " zones, but nesting of " + nesting.zoneCount());
        }
        if (clockSkewAllowance.isNegative()) {
            throw new IllegalArgumentException("Clock skew allowance " + clockSkewAllowance);
        }
    }

    /** A server of unrelated zones with the recommended values, telling its zones at each group. */
    public static ServerPolicy of(
            NetAddress identifier, List<ScopeZone> zones, Set<Feature> features) {
        return new ServerPolicy(
                List.of(identifier),
                zones,
                NestingMatrix.of(zones.size(), (_, _) -> false),
                Set.copyOf(zones.stream().map(ScopeZone::serverAddress).toList()),
                features,
                DEFAULT_CLOCK_SKEW_ALLOWANCE);
    }

    /** The number of the zone with this identifier, -1 when it is not served. */
    int zoneOf(NetAddress scopeId) {
        for (int i = 0; i < zones.size(); i++) {
            if (zones.get(i).first().equals(scopeId)) {
                return i;
            }
        }
        return -1;
    }

    /** Whether a scope is served for requests that come by this group (RFC 2730, section 2.11). */
    boolean serves(NetAddress scopeId, NetAddress group) {
        int wanted = zoneOf(scopeId);
        for (int from = 0; wanted >= 0 && from < zones.size(); from++) {
            if (zones.get(from).serverAddress().equals(group) && nesting.nests(from, wanted)) {
                return true;
            }
        }
        return false;
    }
}

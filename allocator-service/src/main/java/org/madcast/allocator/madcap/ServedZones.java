package org.madcast.allocator.madcap;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.scope.Scope;
import org.madcast.madcap.AddressFamily;
import org.madcast.madcap.Feature;
import org.madcast.madcap.NestingMatrix;
import org.madcast.madcap.NetAddress;
import org.madcast.madcap.ScopeZone;
import org.madcast.madcap.ZoneName;
import org.madcast.madcap.server.ServerPolicy;

/**
 * The scopes that MADCAP serves, as zones, from the smallest to the largest (RFC 2730, section
 * 3.10), and which lies inside which (RFC 2907). Immutable and comparable.
 *
 * @param zones the zones
 * @param nesting their relation
 */
record ServedZones(List<Served> zones, NestingMatrix nesting) {

    /** What this server can do beyond the protocol's core; leases are in a shared database. */
    static final Set<Feature> FEATURES =
            Set.of(Feature.SERVER_MOBILITY, Feature.RETRY_AFTER, Feature.SHARED_LEASE_IDENTIFIER);

    private static final String LANGUAGE = "en";

    /** In UTF-16; in UTF-8 they are at most three times as many bytes, which fits (255). */
    private static final int MOST_NAME_CHARS = 80;

    /**
     * A scope as a zone.
     *
     * @param scope the scope's name
     * @param zone what clients get of it
     */
    record Served(String scope, ScopeZone zone) {}

    /**
     * What came of the configuration.
     *
     * @param zones what is served
     * @param complaints why a scope that should be is not
     */
    record Configured(ServedZones zones, List<String> complaints) {}

    /**
     * Chooses from the scopes that there are.
     *
     * @param wanted the names of those to serve
     * @param inside inner scopes by name, each with the name of its outer one
     */
    static Configured of(List<Scope> scopes, List<String> wanted, Map<String, String> inside) {
        List<String> complaints = new ArrayList<>();
        Map<String, Scope> byName =
                scopes.stream().collect(Collectors.toMap(Scope::name, scope -> scope));
        List<Served> served = new ArrayList<>();
        for (String name : wanted) {
            try {
                served.add(new Served(name, zone(name, byName.get(name))));
            } catch (RuntimeException notServed) {
                // Whatever is wrong with one scope, the others are served.
                complaints.add("scope " + name + ": " + notServed.getMessage());
            }
        }
        served.sort(Comparator.comparing(it -> ZoneText.parse(range(byName, it)).size()));
        return new Configured(new ServedZones(served, nesting(served, inside)), complaints);
    }

    ServedZones {
        zones = List.copyOf(zones);
    }

    /** The rules for a server with this address. */
    ServerPolicy policy(NetAddress identifier, java.time.Duration clockSkewAllowance) {
        return new ServerPolicy(
                List.of(identifier),
                scopeZones(),
                nesting,
                informationGroups(),
                FEATURES,
                clockSkewAllowance);
    }

    /** Where servers of these zones listen. */
    Set<NetAddress> serverGroups() {
        return scopeZones().stream()
                .map(ScopeZone::serverAddress)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** The served scope with this identifier, its lowest address. */
    Optional<Served> find(NetAddress scopeId) {
        return zones.stream().filter(it -> it.zone().first().equals(scopeId)).findFirst();
    }

    /** The zones of one address family, with their relation. */
    ServedZones ofFamily(AddressFamily family) {
        List<Integer> kept = new ArrayList<>();
        for (int i = 0; i < zones.size(); i++) {
            if (zones.get(i).zone().first().family().equals(family)) {
                kept.add(i);
            }
        }
        return new ServedZones(
                kept.stream().map(zones::get).toList(),
                NestingMatrix.of(
                        kept.size(),
                        (inner, outer) -> nesting.nests(kept.get(inner), kept.get(outer))));
    }

    /** The zones alone. */
    List<ScopeZone> scopeZones() {
        return zones.stream().map(Served::zone).toList();
    }

    /**
     * Where to answer questions about scopes: the Local Scope's server address (RFC 2730, section
     * 2.11); where that is not served, everywhere.
     */
    private Set<NetAddress> informationGroups() {
        NetAddress local = ScopeZone.IPV4_LOCAL.serverAddress();
        return serverGroups().contains(local) ? Set.of(local) : serverGroups();
    }

    private static String obstacle(Scope scope) {
        if (scope.ranges().size() != 1) {
            return "it has " + scope.ranges().size() + " ranges, and MADCAP knows scopes of one";
        }
        if (scope.sharesAddresses()) {
            return "its leases share addresses, and MADCAP leases whole ones";
        }
        return ZoneText.parse(scope.ranges().getFirst()).keepsServerAddress()
                ? ""
                : "its range is too small to spare the address of its servers";
    }

    /** What clients get of a scope; throws, with the reason, when it cannot be served. */
    private static ScopeZone zone(String name, @Nullable Scope scope) {
        String obstacle = scope == null ? "there is no such scope" : obstacle(scope);
        if (scope == null || !obstacle.isEmpty()) {
            throw new IllegalArgumentException(obstacle);
        }
        ZoneText range = ZoneText.parse(scope.ranges().getFirst());
        String shown = shortened(scope.description().strip());
        return new ScopeZone(
                range.first(),
                range.last(),
                scope.ttl(),
                List.of(new ZoneName(true, LANGUAGE, shown.isEmpty() ? name : shown)));
    }

    /** Not within a character of two units: half of one is no text. */
    private static String shortened(String text) {
        if (text.length() <= MOST_NAME_CHARS) {
            return text;
        }
        boolean within = Character.isHighSurrogate(text.charAt(MOST_NAME_CHARS - 1));
        return text.substring(0, within ? MOST_NAME_CHARS - 1 : MOST_NAME_CHARS).strip();
    }

    private static String range(Map<String, Scope> byName, Served served) {
        Scope scope = byName.get(served.scope());
        if (scope == null) {
            throw new IllegalStateException("served, but not there: " + served);
        }
        return scope.ranges().getFirst();
    }

    private static NestingMatrix nesting(List<Served> served, Map<String, String> inside) {
        return NestingMatrix.of(
                        served.size(),
                        (inner, outer) ->
                                served.get(outer)
                                        .scope()
                                        .equals(inside.get(served.get(inner).scope())))
                .closed();
    }
}

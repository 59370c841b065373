package org.madcast.allocator.madcap;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The MADCAP server's settings. MADCAP knows no authentication, so clients are allowed by network.
 *
 * @param enabled whether to serve MADCAP at all
 * @param port where servers listen; RFC 2730 says 2535
 * @param networks whose requests are answered, such as {@code 10.0.0.0/8}; this host's addresses in
 *     them are listened on
 * @param scopes the scopes to serve, each of one range that RFC 2730's server address lies in but
 *     its pool does not; others are passed over with a warning
 * @param nested which scope lies inside which other (RFC 2907), by their names
 * @param clockSkewAllowance by how much a client's clock may differ
 * @param extraAllocation how much longer than its client knows a lease keeps its addresses (RFC
 *     2730, section 2.12)
 * @param offerHold how long an offer's addresses are held; RFC 2730 wants 60 s
 * @param responseCache how long a response is remembered for repeated requests; 60 s to 5 min
 * @param longestLease the longest lease, which is also the default for clients that name no time
 * @param retryAfter how long to ask a client to wait when the pool is full and the client supports
 *     that; at most
 * @param quota the limits
 */
@ConfigurationProperties("madcast.madcap")
public record MadcapProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("2535") int port,
        @DefaultValue({"127.0.0.0/8", "::1/128"}) List<String> networks,
        @DefaultValue({"default", "local"}) List<String> scopes,
        @DefaultValue Map<String, String> nested,
        @DefaultValue("30m") Duration clockSkewAllowance,
        @DefaultValue("1h") Duration extraAllocation,
        @DefaultValue("60s") Duration offerHold,
        @DefaultValue("60s") Duration responseCache,
        @DefaultValue("1d") Duration longestLease,
        @DefaultValue("1m") Duration retryAfter,
        @DefaultValue Quota quota) {

    /**
     * Limits for clients, which MADCAP does not authenticate.
     *
     * @param addresses the most addresses of all clients; counted every few seconds
     * @param addressesPerLease the most addresses of one lease
     * @param addressesPerClient the most addresses, leased and held, of one IP address
     * @param requestsPerSecond how many datagrams per second of one IP address are looked at
     * @param burst how many at once
     * @param pending how many requests are worked on at a time
     */
    public record Quota(
            @DefaultValue("256") int addressesPerLease,
            @DefaultValue("1024") int addressesPerClient,
            @DefaultValue("65536") int addresses,
            @DefaultValue("200") int requestsPerSecond,
            @DefaultValue("400") int burst,
            @DefaultValue("512") int pending) {}

    /** The nesting, with what RFC 2365 says of the scopes that every installation has. */
    public Map<String, String> nestedOrUsual() {
        return nested.isEmpty() ? Map.of("local", "default") : nested;
    }
}

package org.madcast.madcap;

import static org.madcast.madcap.AddressFamily.IPV4;
import static org.madcast.madcap.AddressFamily.IPV6;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The messages that the golden files hold, by the files' names. */
public final class GoldenMessages {

    public static final LeaseId LEASE_ID =
            new LeaseId(Octets.ofHex("00a0a1a2a3a4a5a6a7a8a9aaabacadaeaf"));
    public static final NetAddress SERVER = NetAddress.parse("192.0.2.1");
    public static final Option.ServerIdentifier SERVER_ID = new Option.ServerIdentifier(SERVER);
    public static final NetAddress SCOPE_ID = NetAddress.parse("239.255.0.0");
    public static final Option.MulticastScope SCOPE = new Option.MulticastScope(SCOPE_ID);
    public static final Option.CurrentTime NOW = new Option.CurrentTime(1704066048);
    public static final Option.StartTime START = new Option.StartTime(1704067200);

    private static final int XID = 0x11223344;
    private static final LeaseId SPECIFIC =
            LeaseId.addressSpecific(NetAddress.parse("192.0.2.5"), new byte[] {0, 0, 0, 7});
    private static final Option.MulticastScope IPV6_SCOPE =
            new Option.MulticastScope(NetAddress.parse("ff03::"));

    private GoldenMessages() {}

    /** All of them. */
    public static Map<String, Message> all() {
        Map<String, Message> all = new TreeMap<>();
        addAllocation(all);
        addRenewalAndRelease(all);
        addInformation(all);
        addRefusals(all);
        return all;
    }

    private static void addAllocation(Map<String, Message> all) {
        all.put(
                "discover",
                ipv4(
                        MessageType.DISCOVER,
                        new Option.LeaseTime(7200),
                        SCOPE,
                        START,
                        new Option.NumberOfAddresses(1, 4),
                        ranges("239.255.0.16", 4),
                        NOW,
                        new Option.FeatureList(
                                Set.of(Feature.RETRY_AFTER, Feature.SERVER_MOBILITY),
                                Set.of(Feature.SHARED_LEASE_IDENTIFIER),
                                Set.of()),
                        new Option.MinimumLeaseTime(3600),
                        new Option.MaximumStartTime(1704070800)));
        all.put(
                "offer",
                ipv4(
                        MessageType.OFFER,
                        new Option.LeaseTime(3600),
                        SERVER_ID,
                        SCOPE,
                        START,
                        NOW,
                        new Option.FeatureList(
                                Set.of(
                                        Feature.RETRY_AFTER,
                                        Feature.SERVER_MOBILITY,
                                        Feature.SHARED_LEASE_IDENTIFIER),
                                Set.of(),
                                Set.of(Feature.SHARED_LEASE_IDENTIFIER))));
        Option.LeaseTime twoHours = new Option.LeaseTime(7200);
        all.put("request", ipv4(MessageType.REQUEST, twoHours, SERVER_ID, SCOPE));
        all.put(
                "ack-to-request",
                ipv4(
                        MessageType.ACK,
                        twoHours,
                        SERVER_ID,
                        SCOPE,
                        new Option.AddressRangeList(
                                List.of(range("239.255.0.16", 1), range("239.255.0.32", 2)))));
        Set<Feature> retry = Set.of(Feature.RETRY_AFTER);
        all.put(
                "ack-retry-after",
                ipv4(
                        MessageType.ACK,
                        twoHours,
                        SERVER_ID,
                        SCOPE,
                        new Option.AddressRangeList(List.of()),
                        NOW,
                        new Option.FeatureList(retry, Set.of(), retry),
                        new Option.RetryTime(1704067200)));
        all.put(
                "discover-ipv6",
                Message.of(MessageType.DISCOVER, IPV6, 0x01020304, LEASE_ID, IPV6_SCOPE));
        all.put(
                "ack-to-request-ipv6",
                Message.of(
                        MessageType.ACK,
                        IPV6,
                        0x01020304,
                        LEASE_ID,
                        new Option.LeaseTime(4294967295L),
                        SERVER_ID,
                        IPV6_SCOPE,
                        ranges("ff03::8000:1", 3)));
    }

    private static void addRenewalAndRelease(Map<String, Message> all) {
        int xid = 0x80000001;
        all.put(
                "renew",
                ipv4(MessageType.RENEW, new Option.LeaseTime(7200), new Option.MinimumLeaseTime(60))
                        .withXid(xid));
        all.put(
                "ack-to-renew-future",
                ipv4(
                                MessageType.ACK,
                                new Option.LeaseTime(60),
                                SERVER_ID,
                                SCOPE,
                                START,
                                ranges("239.255.0.16", 1),
                                NOW)
                        .withXid(xid));
        all.put("release", Message.of(MessageType.RELEASE, IPV4, -1, SPECIFIC));
        all.put("ack-to-release", Message.of(MessageType.ACK, IPV4, -1, SPECIFIC, SERVER_ID));
    }

    private static void addInformation(Map<String, Message> all) {
        all.put(
                "getinfo",
                ipv4(
                                MessageType.GETINFO,
                                Option.OptionRequestList.of(
                                        Option.Kind.MULTICAST_SCOPE_LIST,
                                        Option.Kind.SCOPE_NESTING,
                                        Option.Kind.FEATURE_LIST),
                                new Option.RequestedLanguage("en"))
                        .withXid(0));
        all.put(
                "ack-to-getinfo",
                ipv4(
                                MessageType.ACK,
                                SERVER_ID,
                                new Option.MulticastScopeList(
                                        List.of(
                                                zone(
                                                        "239.192.0.0",
                                                        "239.195.255.255",
                                                        10,
                                                        "Inside abcd.com"),
                                                zone("224.0.1.0", "238.255.255.255", 16, "world"))),
                                NOW,
                                new Option.FeatureList(
                                        Set.of(Feature.SERVER_MOBILITY), Set.of(), Set.of()),
                                new Option.ScopeNesting(
                                        NestingMatrix.of(
                                                2, (inner, outer) -> inner == 0 && outer == 1)))
                        .withXid(0));
        all.put(
                "getinfo-unknown-option",
                ipv4(
                                MessageType.GETINFO,
                                new Option.OptionRequestList(List.of(9)),
                                new Option.Unknown(0x1234, Octets.ofHex("010203")))
                        .withXid(0));
    }

    private static void addRefusals(Map<String, Message> all) {
        all.put("nak-could-not-be-completed", nak(new MadcapError.CouldNotBeCompleted(7)));
        all.put("nak-invalid-request", nak(new MadcapError.InvalidRequest(0xffff)));
        all.put("nak-excessive-clock-skew", nak(new MadcapError.ExcessiveClockSkew(1704067200)));
        all.put(
                "nak-lease-not-recognized",
                nak(new MadcapError.LeaseNotRecognized())
                        .with(new Option.ServerIdentifier(NetAddress.parse("2001:db8::1")))
                        .withXid(0x80000001));
        all.put(
                "nak-feature-not-supported",
                nak(new MadcapError.FeatureNotSupported(
                                Set.of(Feature.SHARED_LEASE_IDENTIFIER, Feature.SERVER_MOBILITY)))
                        .with(Option.FeatureList.NONE));
    }

    private static Message nak(MadcapError error) {
        return ipv4(MessageType.NAK, SERVER_ID, error.toOption());
    }

    private static Message ipv4(MessageType type, Option... options) {
        return Message.of(type, IPV4, XID, LEASE_ID, options);
    }

    private static AddressRange range(String first, int count) {
        return new AddressRange(NetAddress.parse(first), count);
    }

    private static Option.AddressRangeList ranges(String first, int count) {
        return new Option.AddressRangeList(List.of(range(first, count)));
    }

    private static ScopeZone zone(String first, String last, int ttl, String name) {
        return new ScopeZone(
                NetAddress.parse(first),
                NetAddress.parse(last),
                ttl,
                List.of(new ZoneName(true, "en", name)));
    }
}

package org.madcast.madcap;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An option of a message (RFC 2730, section 3). Immutable; what the RFCs forbid inside of one
 * option cannot be constructed and is answered by {@link IllegalArgumentException}. Which options a
 * message may have is in {@link OptionRules}. Option 0, End, is no value: the encoder writes it and
 * the decoder insists on it. Times on the wire are unsigned seconds of 32 bits, since 1970 where
 * absolute.
 */
public sealed interface Option {

    /** The number on the wire. */
    int code();

    /**
     * The options that are defined: 0 to 16 by RFC 2730, section 3, and 17 by RFC 2907. Each has
     * its row of table 5 of RFC 2730: '!' must, '?' may, '-' must not, in GETINFO and its ACK,
     * DISCOVER and OFFER, REQUEST and its ACK, RENEW and its ACK, RELEASE and its ACK, NAK.
     */
    enum Kind {
        /** Ends every message; the codec writes and checks it. */
        END(0, "?? ?? ?? ?? ?? ?"),
        /** {@link LeaseTime}. */
        LEASE_TIME(1, "-- ?! ?! ?! -- -"),
        /** {@link ServerIdentifier}. */
        SERVER_IDENTIFIER(2, "-! -! ?! -! -! !"),
        /** {@link LeaseIdentifier}. */
        LEASE_IDENTIFIER(3, "!! !! !! !! !! !"),
        /** {@link MulticastScope}. */
        MULTICAST_SCOPE(4, "-- !! !! -! -- -"),
        /** {@link OptionRequestList}. */
        OPTION_REQUEST_LIST(5, "!- -- -- -- -- -"),
        /** {@link StartTime}. */
        START_TIME(6, "-- ?? ?? ?? -- -"),
        /** {@link NumberOfAddresses}. */
        NUMBER_OF_ADDRESSES(7, "-- ?- ?- -- -- -"),
        /** {@link RequestedLanguage}. */
        REQUESTED_LANGUAGE(8, "?- -- -- -- -- -"),
        /** {@link MulticastScopeList}. */
        MULTICAST_SCOPE_LIST(9, "-? -- -- -- -- -"),
        /** {@link AddressRangeList}. */
        ADDRESS_RANGE_LIST(10, "-- ?? ?! -! -- -"),
        /** {@link CurrentTime}. */
        CURRENT_TIME(11, "-? ?? ?? ?? -- -"),
        /** {@link FeatureList}. */
        FEATURE_LIST(12, "?? ?? ?? ?? ?? ?"),
        /** {@link RetryTime}. */
        RETRY_TIME(13, "-- -- -? -? -- -"),
        /** {@link MinimumLeaseTime}. */
        MINIMUM_LEASE_TIME(14, "-- ?- ?- ?- -- -"),
        /** {@link MaximumStartTime}. */
        MAXIMUM_START_TIME(15, "-- ?- ?- ?- -- -"),
        /** {@link ErrorOption}. */
        ERROR(16, "-- -- -- -- -- !"),
        /** {@link ScopeNesting}. */
        SCOPE_NESTING(17, "?? ?? ?? ?? ?? ?");

        /** Stands in an error's extra data for "no option in particular". */
        public static final int NO_OPTION = 0xffff;

        private static final Kind[] KINDS = values();

        private final int code;
        private final String forms;

        Kind(int code, String forms) {
            this.code = code;
            this.forms = forms.replace(" ", "");
        }

        /** Its row of table 5: a character for each {@link OptionRules.Form}. */
        String forms() {
            return forms;
        }

        /** The number on the wire. */
        public int code() {
            return code;
        }

        /** The option with this number, null when none is defined. */
        public static @Nullable Kind ofCode(int code) {
            return code >= 0 && code < KINDS.length ? KINDS[code] : null;
        }
    }

    /** An option that RFC 2730 or RFC 2907 define. */
    sealed interface Known extends Option {

        /** Which one. */
        Kind kind();

        @Override
        default int code() {
            return kind().code();
        }
    }

    /** A point in time, in seconds since 1970. */
    sealed interface AbsoluteTime extends Known {

        /** Seconds since 00:00 UTC on the 1st of January 1970, 0 to 4294967295. */
        long epochSeconds();

        /** The same time. */
        default Instant instant() {
            return Instant.ofEpochSecond(epochSeconds());
        }
    }

    /** Option 1: how long the lease is to last, or lasts. */
    record LeaseTime(long seconds) implements Known {
        public LeaseTime {
            Unsigned.u32("lease time", seconds);
        }

        /** The same time. */
        public Duration duration() {
            return Duration.ofSeconds(seconds);
        }

        @Override
        public Kind kind() {
            return Kind.LEASE_TIME;
        }
    }

    /** Option 2: the server that sends this, or that is meant; of any address family. */
    record ServerIdentifier(NetAddress address) implements Known {
        public ServerIdentifier {
            Unsigned.within(
                    "bytes of a server's address",
                    address.octets().lengthBytes(),
                    1,
                    Unsigned.U16_MAX - 2);
        }

        @Override
        public Kind kind() {
            return Kind.SERVER_IDENTIFIER;
        }
    }

    /** Option 3: which lease this is about. */
    record LeaseIdentifier(LeaseId leaseId) implements Known {
        @Override
        public Kind kind() {
            return Kind.LEASE_IDENTIFIER;
        }
    }

    /** Option 4: the scope of the addresses, by its lowest address. */
    record MulticastScope(NetAddress scopeId) implements Known {
        public MulticastScope {
            if (!scopeId.isMulticast()) {
                throw new IllegalArgumentException("No multicast address: " + scopeId);
            }
        }

        @Override
        public Kind kind() {
            return Kind.MULTICAST_SCOPE;
        }
    }

    /** Option 5: the numbers of the options that a client wants in the answer; at least one. */
    record OptionRequestList(List<Integer> codes) implements Known {
        public OptionRequestList {
            codes = List.copyOf(codes);
            Unsigned.within("requested options", codes.size(), 1, Unsigned.U16_MAX / 2);
            codes.forEach(code -> Unsigned.u16("option code", code));
        }

        /** The options of these kinds. */
        public static OptionRequestList of(Kind... kinds) {
            return new OptionRequestList(List.of(kinds).stream().map(Kind::code).toList());
        }

        @Override
        public Kind kind() {
            return Kind.OPTION_REQUEST_LIST;
        }
    }

    /** Option 6: when the lease is to start, or starts. Needs {@link CurrentTime}. */
    record StartTime(long epochSeconds) implements AbsoluteTime {
        public StartTime {
            Unsigned.u32("start time", epochSeconds);
        }

        @Override
        public Kind kind() {
            return Kind.START_TIME;
        }
    }

    /** Option 7: how many addresses, from minimum to desired, 0 to 65535 each. */
    record NumberOfAddresses(int minimum, int desired) implements Known {
        public NumberOfAddresses {
            Unsigned.u16("desired number of addresses", desired);
            Unsigned.within("minimum number of addresses", minimum, 0, desired);
        }

        @Override
        public Kind kind() {
            return Kind.NUMBER_OF_ADDRESSES;
        }
    }

    /** Option 8: the RFC 1766 tag of the language for names of zones; may be empty. */
    record RequestedLanguage(String tag) implements Known {
        public RequestedLanguage {
            LanguageTag.check(tag);
            Unsigned.u16("length of a language tag", tag.length());
        }

        @Override
        public Kind kind() {
            return Kind.REQUESTED_LANGUAGE;
        }
    }

    /** Option 9: the scope zones, from the smallest to the largest, at most 255 of one family. */
    record MulticastScopeList(List<ScopeZone> zones) implements Known {
        public MulticastScopeList {
            zones = List.copyOf(zones);
            Unsigned.within("zones", zones.size(), 0, Unsigned.U8_MAX);
            Set<NetAddress> ids = new HashSet<>();
            long bytes = 1;
            for (ScopeZone zone : zones) {
                if (!ids.add(zone.first())) {
                    throw new IllegalArgumentException("Scope " + zone.first() + " occurs twice");
                }
                bytes += zone.encodedBytes();
            }
            Unsigned.within("bytes of a scope list", bytes, 1, Unsigned.U16_MAX);
        }

        @Override
        public Kind kind() {
            return Kind.MULTICAST_SCOPE_LIST;
        }
    }

    /**
     * Option 10: the addresses that are leased, or wished for; empty while a server asks to wait.
     */
    record AddressRangeList(List<AddressRange> ranges) implements Known {
        public AddressRangeList {
            ranges = List.copyOf(ranges);
            long bytes = 0;
            for (AddressRange range : ranges) {
                bytes += range.first().octets().lengthBytes() + 2;
            }
            Unsigned.within("bytes of address ranges", bytes, 0, Unsigned.U16_MAX);
        }

        /** How many addresses the ranges have together. */
        public long addressCount() {
            return ranges.stream().mapToLong(AddressRange::count).sum();
        }

        @Override
        public Kind kind() {
            return Kind.ADDRESS_RANGE_LIST;
        }
    }

    /** Option 11: what the sender takes the time to be. */
    record CurrentTime(long epochSeconds) implements AbsoluteTime {
        public CurrentTime {
            Unsigned.u32("current time", epochSeconds);
        }

        @Override
        public Kind kind() {
            return Kind.CURRENT_TIME;
        }
    }

    /**
     * Option 12: optional features. A client says what it supports, requests and requires; a server
     * what it supports and, as required, what it did; it requests nothing. The order and
     * repetitions of features mean nothing and are not kept.
     */
    record FeatureList(Set<Feature> supported, Set<Feature> requested, Set<Feature> required)
            implements Known {

        /** No features at all. */
        public static final FeatureList NONE = new FeatureList(Set.of(), Set.of(), Set.of());

        public FeatureList {
            supported = Set.copyOf(supported);
            requested = Set.copyOf(requested);
            required = Set.copyOf(required);
            int features = supported.size() + requested.size() + required.size();
            Unsigned.within("bytes of features", 6L + 2L * features, 6, Unsigned.U16_MAX);
        }

        /** Whether a feature stands in any of the lists, so that a server may use it. */
        public boolean mentions(Feature feature) {
            return supported.contains(feature)
                    || requested.contains(feature)
                    || required.contains(feature);
        }

        @Override
        public Kind kind() {
            return Kind.FEATURE_LIST;
        }
    }

    /** Option 13: when the client should ask again. Needs {@link CurrentTime}. */
    record RetryTime(long epochSeconds) implements AbsoluteTime {
        public RetryTime {
            Unsigned.u32("retry time", epochSeconds);
        }

        @Override
        public Kind kind() {
            return Kind.RETRY_TIME;
        }
    }

    /** Option 14: the shortest lease that the client wants. */
    record MinimumLeaseTime(long seconds) implements Known {
        public MinimumLeaseTime {
            Unsigned.u32("minimum lease time", seconds);
        }

        @Override
        public Kind kind() {
            return Kind.MINIMUM_LEASE_TIME;
        }
    }

    /** Option 15: the latest start that the client wants. Needs {@link CurrentTime}. */
    record MaximumStartTime(long epochSeconds) implements AbsoluteTime {
        public MaximumStartTime {
            Unsigned.u32("maximum start time", epochSeconds);
        }

        @Override
        public Kind kind() {
            return Kind.MAXIMUM_START_TIME;
        }
    }

    /**
     * Option 16: why a server refuses. {@link MadcapError} makes and reads the extra data.
     *
     * @param errorCode 0 to 65535
     * @param extraData of a format that the code decides, 0 to 65533 bytes
     */
    record ErrorOption(int errorCode, Octets extraData) implements Known {
        public ErrorOption {
            Unsigned.u16("error code", errorCode);
            Unsigned.within("extra data", extraData.lengthBytes(), 0, Unsigned.U16_MAX - 2);
        }

        @Override
        public Kind kind() {
            return Kind.ERROR;
        }
    }

    /**
     * Option 17 (RFC 2907): which zones of the scope list lie inside which. To be ignored unless it
     * counts as many zones as the list does, see {@link Message#nesting}.
     */
    record ScopeNesting(NestingMatrix matrix) implements Known {
        @Override
        public Kind kind() {
            return Kind.SCOPE_NESTING;
        }
    }

    /** An option that neither RFC defines, as it came. */
    record Unknown(int code, Octets value) implements Option {
        public Unknown {
            Unsigned.u16("option code", code);
            Unsigned.within("length of option " + code, value.lengthBytes(), 0, Unsigned.U16_MAX);
            if (Kind.ofCode(code) != null) {
                throw new IllegalArgumentException("Option " + code + " is defined");
            }
        }
    }

    /** The addresses of an option that have to be of the message's own family. */
    static List<NetAddress> addressesOfMessageFamily(Option option) {
        List<NetAddress> addresses = new ArrayList<>();
        switch (option) {
            case MulticastScope scope -> addresses.add(scope.scopeId());
            case MulticastScopeList list ->
                    list.zones().forEach(zone -> addresses.add(zone.first()));
            case AddressRangeList list ->
                    list.ranges().forEach(range -> addresses.add(range.first()));
            default -> {}
        }
        return addresses;
    }
}

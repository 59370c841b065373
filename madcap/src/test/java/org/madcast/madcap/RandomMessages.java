package org.madcast.madcap;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Messages of all kinds, with any subset of options, from a caller's random numbers. */
public final class RandomMessages {

    private static final String TAG_CHARACTERS = "abcxyzABCXYZ019-";

    private static final List<MessageType> TYPES = List.of(MessageType.values());

    private final RandomGenerator random;

    public RandomMessages(RandomGenerator random) {
        this.random = random;
    }

    /** The next message; encodes to far less than the largest datagram. */
    public Message next() {
        MessageType type = TYPES.get(random.nextInt(TYPES.size()));
        AddressFamily family =
                switch (random.nextInt(8)) {
                    case 0 -> new AddressFamily(random.nextInt(0x10000));
                    case 1, 2, 3 -> AddressFamily.IPV6;
                    default -> AddressFamily.IPV4;
                };
        List<Option> options = new ArrayList<>();
        for (Option.Kind kind : Option.Kind.values()) {
            boolean isWanted = kind != Option.Kind.END && random.nextInt(3) == 0;
            if (isWanted && (family.isKnown() || !hasAddresses(kind))) {
                options.add(option(kind, family));
            }
        }
        if (random.nextInt(4) == 0) {
            options.add(new Option.Unknown(random.nextInt(18, 0x10000), octets(0, 20)));
        }
        return new Message(type, family, random.nextInt(), options);
    }

    private static boolean hasAddresses(Option.Kind kind) {
        return kind == Option.Kind.MULTICAST_SCOPE
                || kind == Option.Kind.MULTICAST_SCOPE_LIST
                || kind == Option.Kind.ADDRESS_RANGE_LIST;
    }

    private Option option(Option.Kind kind, AddressFamily family) {
        return switch (kind) {
            case END, LEASE_TIME -> new Option.LeaseTime(u32());
            case SERVER_IDENTIFIER -> new Option.ServerIdentifier(anyAddress());
            case LEASE_IDENTIFIER -> new Option.LeaseIdentifier(new LeaseId(octets(1, 24)));
            case MULTICAST_SCOPE -> new Option.MulticastScope(multicast(family));
            case OPTION_REQUEST_LIST ->
                    new Option.OptionRequestList(list(1, 5, () -> random.nextInt(0x10000)));
            case START_TIME -> new Option.StartTime(u32());
            case NUMBER_OF_ADDRESSES -> {
                int desired = random.nextInt(0x10000);
                yield new Option.NumberOfAddresses(random.nextInt(desired + 1), desired);
            }
            case REQUESTED_LANGUAGE -> new Option.RequestedLanguage(tag(0));
            case MULTICAST_SCOPE_LIST -> new Option.MulticastScopeList(zones(family));
            case ADDRESS_RANGE_LIST -> new Option.AddressRangeList(list(0, 4, () -> range(family)));
            case CURRENT_TIME -> new Option.CurrentTime(u32());
            case FEATURE_LIST -> new Option.FeatureList(features(), features(), features());
            case RETRY_TIME -> new Option.RetryTime(u32());
            case MINIMUM_LEASE_TIME -> new Option.MinimumLeaseTime(u32());
            case MAXIMUM_START_TIME -> new Option.MaximumStartTime(u32());
            case ERROR -> new Option.ErrorOption(random.nextInt(0x10000), octets(0, 6));
            case SCOPE_NESTING ->
                    new Option.ScopeNesting(
                            NestingMatrix.of(random.nextInt(12), (_, _) -> random.nextBoolean()));
        };
    }

    private List<ScopeZone> zones(AddressFamily family) {
        Set<NetAddress> ids = new HashSet<>();
        List<ScopeZone> zones = new ArrayList<>();
        for (int left = random.nextInt(4); left > 0; left--) {
            NetAddress one = multicast(family);
            NetAddress other = multicast(family);
            boolean isOrdered = one.compareTo(other) <= 0;
            NetAddress first = isOrdered ? one : other;
            if (ids.add(first)) {
                List<ZoneName> names = list(0, 3, this::name);
                int ttl = random.nextInt(256);
                zones.add(new ScopeZone(first, isOrdered ? other : one, ttl, names));
            }
        }
        return zones;
    }

    private ZoneName name() {
        StringBuilder name = new StringBuilder();
        for (int left = random.nextInt(1, 8); left > 0; left--) {
            int point =
                    switch (random.nextInt(4)) {
                        case 0 -> random.nextInt(0x80, 0x800);
                        case 1 -> random.nextInt(0x800, 0xd800);
                        case 2 -> random.nextInt(0x10000, 0x110000);
                        default -> random.nextInt(0x80);
                    };
            name.appendCodePoint(point);
        }
        return new ZoneName(random.nextBoolean(), tag(1), name.toString());
    }

    private String tag(int minLength) {
        StringBuilder tag = new StringBuilder();
        for (int left = random.nextInt(minLength, 9); left > 0; left--) {
            tag.append(TAG_CHARACTERS.charAt(random.nextInt(TAG_CHARACTERS.length())));
        }
        return tag.toString();
    }

    private AddressRange range(AddressFamily family) {
        NetAddress first = multicast(family);
        int count = random.nextInt(1, 0x10000);
        boolean fits =
                family.equals(AddressFamily.IPV4)
                        ? first.octets().at(0) < 0xef
                        : first.octets().at(1) < 0xff;
        return new AddressRange(first, fits ? count : 1);
    }

    private NetAddress multicast(AddressFamily family) {
        byte[] bytes = new byte[family.addressBytes()];
        random.nextBytes(bytes);
        bytes[0] = (byte) (family.equals(AddressFamily.IPV4) ? 0xe0 | (bytes[0] & 0x0f) : 0xff);
        return new NetAddress(family, Octets.of(bytes));
    }

    private NetAddress anyAddress() {
        AddressFamily family =
                switch (random.nextInt(4)) {
                    case 0 -> new AddressFamily(random.nextInt(3, 0x10000));
                    case 1 -> AddressFamily.IPV6;
                    default -> AddressFamily.IPV4;
                };
        int length = family.isKnown() ? family.addressBytes() : random.nextInt(1, 20);
        return new NetAddress(family, octets(length, length));
    }

    private Set<Feature> features() {
        return Set.copyOf(
                list(0, 3, () -> new Feature(random.nextInt(random.nextInt(1, 0x10000)))));
    }

    private Octets octets(int minLength, int maxLength) {
        byte[] bytes = new byte[random.nextInt(minLength, maxLength + 1)];
        random.nextBytes(bytes);
        return Octets.of(bytes);
    }

    private long u32() {
        return random.nextInt() & 0xffff_ffffL;
    }

    private <T> List<T> list(int min, int max, Supplier<T> each) {
        List<T> list = new ArrayList<>();
        for (int left = random.nextInt(min, max + 1); left > 0; left--) {
            list.add(each.get());
        }
        return list;
    }
}

package org.madcast.madcap.codec;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.madcast.madcap.AddressFamily;
import org.madcast.madcap.AddressRange;
import org.madcast.madcap.Feature;
import org.madcast.madcap.LeaseId;
import org.madcast.madcap.NestingMatrix;
import org.madcast.madcap.NetAddress;
import org.madcast.madcap.Octets;
import org.madcast.madcap.Option;
import org.madcast.madcap.ScopeZone;
import org.madcast.madcap.ZoneName;

/**
 * Reads and writes the values of options, as laid out in RFC 2730, sections 3.2 to 3.17, and RFC
 * 2907, section 5.
 */
final class OptionCodec {

    /** The bit of a name's flags that marks the name to use for want of a better language. */
    private static final int PREFERRED = 0x80;

    private OptionCodec() {}

    /**
     * Reads the value of one option from a buffer that holds just this value. A value that is too
     * short ends in a {@link java.nio.BufferUnderflowException}, an invalid one in an {@link
     * IllegalArgumentException}; bytes that are left over are for the caller to notice.
     */
    static Option read(Option.Kind kind, AddressFamily family, ByteBuffer in) {
        return switch (kind) {
            case END -> throw new IllegalArgumentException("End has no value");
            case LEASE_TIME -> new Option.LeaseTime(u32(in));
            case SERVER_IDENTIFIER -> new Option.ServerIdentifier(serverAddress(in));
            case LEASE_IDENTIFIER -> new Option.LeaseIdentifier(new LeaseId(rest(in)));
            case MULTICAST_SCOPE -> new Option.MulticastScope(address(family, in));
            case OPTION_REQUEST_LIST -> new Option.OptionRequestList(codes(in));
            case START_TIME -> new Option.StartTime(u32(in));
            case NUMBER_OF_ADDRESSES -> new Option.NumberOfAddresses(u16(in), u16(in));
            case REQUESTED_LANGUAGE ->
                    new Option.RequestedLanguage(
                            text(in, in.remaining(), StandardCharsets.US_ASCII));
            case MULTICAST_SCOPE_LIST -> new Option.MulticastScopeList(zones(family, in));
            case ADDRESS_RANGE_LIST -> new Option.AddressRangeList(ranges(family, in));
            case CURRENT_TIME -> new Option.CurrentTime(u32(in));
            case FEATURE_LIST -> new Option.FeatureList(features(in), features(in), features(in));
            case RETRY_TIME -> new Option.RetryTime(u32(in));
            case MINIMUM_LEASE_TIME -> new Option.MinimumLeaseTime(u32(in));
            case MAXIMUM_START_TIME -> new Option.MaximumStartTime(u32(in));
            case ERROR -> new Option.ErrorOption(u16(in), rest(in));
            case SCOPE_NESTING -> new Option.ScopeNesting(new NestingMatrix(u8(in), rest(in)));
        };
    }

    private static NetAddress serverAddress(ByteBuffer in) {
        return new NetAddress(new AddressFamily(u16(in)), rest(in));
    }

    private static NetAddress address(AddressFamily family, ByteBuffer in) {
        if (!family.isKnown()) {
            throw new IllegalArgumentException("Addresses of " + family + " cannot be read");
        }
        return new NetAddress(family, Octets.read(in, family.addressBytes()));
    }

    private static List<Integer> codes(ByteBuffer in) {
        List<Integer> codes = new ArrayList<>();
        while (in.hasRemaining()) {
            codes.add(u16(in));
        }
        return codes;
    }

    /** A value of no bytes is allowed, and an empty list. */
    private static List<ScopeZone> zones(AddressFamily family, ByteBuffer in) {
        List<ScopeZone> zones = new ArrayList<>();
        int count = in.hasRemaining() ? u8(in) : 0;
        for (int i = 0; i < count; i++) {
            NetAddress first = address(family, in);
            NetAddress last = address(family, in);
            int ttl = u8(in);
            int nameCount = u8(in);
            List<ZoneName> names = new ArrayList<>();
            for (int n = 0; n < nameCount; n++) {
                boolean preferred = (u8(in) & PREFERRED) != 0;
                String language = text(in, u8(in), StandardCharsets.US_ASCII);
                String name = text(in, u8(in), StandardCharsets.UTF_8);
                names.add(new ZoneName(preferred, language, name));
            }
            zones.add(new ScopeZone(first, last, ttl, names));
        }
        return zones;
    }

    private static List<AddressRange> ranges(AddressFamily family, ByteBuffer in) {
        List<AddressRange> ranges = new ArrayList<>();
        while (in.hasRemaining()) {
            ranges.add(new AddressRange(address(family, in), u16(in)));
        }
        return ranges;
    }

    private static Set<Feature> features(ByteBuffer in) {
        int count = u16(in);
        Set<Feature> features = new HashSet<>();
        for (int i = 0; i < count; i++) {
            features.add(new Feature(u16(in)));
        }
        return features;
    }

    private static String text(ByteBuffer in, int lengthBytes, Charset charset) {
        byte[] bytes = Octets.read(in, lengthBytes).toByteArray();
        try {
            return charset.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("No text in " + charset, e);
        }
    }

    private static Octets rest(ByteBuffer in) {
        return Octets.read(in, in.remaining());
    }

    private static int u8(ByteBuffer in) {
        return in.get() & 0xff;
    }

    private static int u16(ByteBuffer in) {
        return in.getShort() & 0xffff;
    }

    private static long u32(ByteBuffer in) {
        return in.getInt() & 0xffff_ffffL;
    }

    /** Writes the value of an option. */
    static void write(Option option, WireWriter out) {
        switch (option) {
            case Option.LeaseTime(long seconds) -> out.u32(seconds);
            case Option.MinimumLeaseTime(long seconds) -> out.u32(seconds);
            case Option.AbsoluteTime time -> out.u32(time.epochSeconds());
            case Option.ServerIdentifier(NetAddress address) -> {
                out.u16(address.family().code());
                out.octets(address.octets());
            }
            case Option.LeaseIdentifier id -> out.octets(id.leaseId().octets());
            case Option.MulticastScope scope -> out.octets(scope.scopeId().octets());
            case Option.OptionRequestList list -> list.codes().forEach(out::u16);
            case Option.NumberOfAddresses(int minimum, int desired) -> {
                out.u16(minimum);
                out.u16(desired);
            }
            case Option.RequestedLanguage language ->
                    out.bytes(language.tag().getBytes(StandardCharsets.US_ASCII));
            case Option.MulticastScopeList list -> {
                out.u8(list.zones().size());
                list.zones().forEach(zone -> writeZone(zone, out));
            }
            case Option.AddressRangeList list -> {
                for (AddressRange range : list.ranges()) {
                    out.octets(range.first().octets());
                    out.u16(range.count());
                }
            }
            case Option.FeatureList list -> {
                writeFeatures(list.supported(), out);
                writeFeatures(list.requested(), out);
                writeFeatures(list.required(), out);
            }
            case Option.ErrorOption error -> {
                out.u16(error.errorCode());
                out.octets(error.extraData());
            }
            case Option.ScopeNesting nesting -> {
                out.u8(nesting.matrix().zoneCount());
                out.octets(nesting.matrix().rows());
            }
            case Option.Unknown unknown -> out.octets(unknown.value());
        }
    }

    private static void writeZone(ScopeZone zone, WireWriter out) {
        out.octets(zone.first().octets());
        out.octets(zone.last().octets());
        out.u8(zone.ttl());
        out.u8(zone.names().size());
        for (ZoneName name : zone.names()) {
            out.u8(name.preferred() ? PREFERRED : 0);
            byte[] tag = name.language().getBytes(StandardCharsets.US_ASCII);
            out.u8(tag.length);
            out.bytes(tag);
            byte[] text = name.name().getBytes(StandardCharsets.UTF_8);
            out.u8(text.length);
            out.bytes(text);
        }
    }

    private static void writeFeatures(Set<Feature> features, WireWriter out) {
        out.u16(features.size());
        new TreeSet<>(features).forEach(feature -> out.u16(feature.code()));
    }
}

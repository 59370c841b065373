package org.madcast.madcap.codec;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;
import org.madcast.madcap.AddressRange;
import org.madcast.madcap.Feature;
import org.madcast.madcap.NetAddress;
import org.madcast.madcap.Option;
import org.madcast.madcap.ScopeZone;
import org.madcast.madcap.ZoneName;

/** Writes the values of options, as laid out in RFC 2730, sections 3.2 to 3.17, and RFC 2907, 5. */
final class OptionWriter {

    /** The bit of a name's flags that marks the name to use for want of a better language. */
    static final int PREFERRED = 0x80;

    private OptionWriter() {}

    static void writeValue(Option option, WireWriter out) {
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

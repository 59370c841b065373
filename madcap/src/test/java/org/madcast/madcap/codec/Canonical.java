package org.madcast.madcap.codec;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.madcast.madcap.AddressRange;
import org.madcast.madcap.Feature;
import org.madcast.madcap.LeaseId;
import org.madcast.madcap.Message;
import org.madcast.madcap.Option;
import org.madcast.madcap.ScopeZone;

/** What the codec under test made of bytes, in the words of {@link TableCodec}. */
final class Canonical {

    private Canonical() {}

    static String of(DecodeResult result) {
        return switch (result) {
            case DecodeResult.Rejected(DecodeResult.RejectReason reason) -> "rejected " + reason;
            case DecodeResult.Invalid invalid -> {
                LeaseId leaseId = invalid.leaseId();
                yield "invalid %d %d %08x %s %s %d"
                        .formatted(
                                invalid.typeCode(),
                                invalid.familyCode(),
                                invalid.xid(),
                                leaseId == null ? "-" : leaseId.octets(),
                                invalid.fault(),
                                invalid.optionCode());
            }
            case DecodeResult.Decoded(Message message) -> of(message);
        };
    }

    static String of(Message message) {
        Map<Integer, List<?>> values = new TreeMap<>();
        message.options().forEach(option -> values.put(option.code(), value(option)));
        return "message %d %d %08x %s"
                .formatted(message.type().code(), message.family().code(), message.xid(), values);
    }

    private static List<?> value(Option option) {
        return switch (option) {
            case Option.LeaseTime time -> List.of(time.seconds());
            case Option.MinimumLeaseTime time -> List.of(time.seconds());
            case Option.AbsoluteTime time -> List.of(time.epochSeconds());
            case Option.ServerIdentifier id ->
                    List.of(id.address().family().code(), id.address().octets());
            case Option.LeaseIdentifier id -> List.of(id.leaseId().octets());
            case Option.MulticastScope scope -> List.of(scope.scopeId().octets());
            case Option.OptionRequestList list -> List.of(list.codes());
            case Option.NumberOfAddresses number -> List.of(number.minimum(), number.desired());
            case Option.RequestedLanguage language -> List.of(quoted(language.tag()));
            case Option.MulticastScopeList list ->
                    List.of(list.zones().stream().map(Canonical::zone).toList());
            case Option.AddressRangeList list ->
                    List.of(list.ranges().stream().map(Canonical::range).toList());
            case Option.FeatureList list ->
                    List.of(
                            codes(list.supported()),
                            codes(list.requested()),
                            codes(list.required()));
            case Option.ErrorOption error -> List.of(error.errorCode(), error.extraData());
            case Option.ScopeNesting nesting ->
                    List.of(nesting.matrix().zoneCount(), nesting.matrix().rows());
            case Option.Unknown unknown -> List.of(unknown.value());
        };
    }

    private static List<?> zone(ScopeZone zone) {
        return List.of(
                zone.first().octets(),
                zone.last().octets(),
                zone.ttl(),
                zone.names().stream()
                        .map(name ->
                                List.of(
                                        name.preferred() ? 128 : 0,
                                        quoted(name.language()),
                                        quoted(name.name())))
                        .toList());
    }

    private static List<?> range(AddressRange range) {
        return List.of(range.first().octets(), range.count());
    }

    private static List<Integer> codes(Collection<Feature> features) {
        return new TreeSet<>(features).stream().map(Feature::code).toList();
    }

    /** Text as its characters' numbers, so that no text can look like structure. */
    private static String quoted(String text) {
        return text.codePoints().mapToObj(Integer::toHexString).collect(Collectors.joining("."));
    }
}

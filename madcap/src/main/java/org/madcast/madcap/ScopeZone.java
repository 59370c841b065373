package org.madcast.madcap;

import java.util.List;

/**
 * A scope zone of the multicast scope list (RFC 2730, section 3.10).
 *
 * @param first the lowest multicast address, which is also the scope's identifier
 * @param last the highest
 * @param ttl the TTL or hop limit that datagrams to the scope must not exceed, 0 to 255
 * @param names at most 255; may be empty
 */
public record ScopeZone(NetAddress first, NetAddress last, int ttl, List<ZoneName> names) {

    /** What a client may assume when it knows nothing: the IPv4 Local Scope (section 2.7). */
    public static final ScopeZone IPV4_LOCAL =
            new ScopeZone(
                    NetAddress.parse("239.255.0.0"),
                    NetAddress.parse("239.255.255.255"),
                    16,
                    List.of());

    public ScopeZone {
        names = List.copyOf(names);
        Unsigned.u8("ttl", ttl);
        Unsigned.within("names of a zone", names.size(), 0, Unsigned.U8_MAX);
        if (!first.isMulticast()
                || !first.family().equals(last.family())
                || first.compareTo(last) > 0
                || !last.isMulticast()) {
            throw new IllegalArgumentException("No multicast range: " + first + " to " + last);
        }
    }

    /** Where this scope's servers listen: the last address minus one (section 2.10). */
    public NetAddress serverAddress() {
        return last.plus(-1);
    }

    /** Whether an address lies in the zone. */
    public boolean contains(NetAddress address) {
        return first.compareTo(address) <= 0 && address.compareTo(last) <= 0;
    }

    /**
     * This zone with the one name that suits a language: one in it, else one that is preferred,
     * else the first. Without names it stays so.
     */
    public ScopeZone inLanguage(String language) {
        return names.stream()
                .filter(name -> LanguageTag.same(name.language(), language))
                .findFirst()
                .or(() -> names.stream().filter(ZoneName::preferred).findFirst())
                .or(() -> names.stream().findFirst())
                .map(name -> new ScopeZone(first, last, ttl, List.of(name)))
                .orElse(this);
    }

    /** How many bytes this takes in an option. */
    int encodedBytes() {
        int bytes = 2 * first.family().addressBytes() + 2;
        for (ZoneName name : names) {
            bytes += name.encodedBytes();
        }
        return bytes;
    }
}

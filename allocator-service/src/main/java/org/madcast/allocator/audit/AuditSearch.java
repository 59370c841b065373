package org.madcast.allocator.audit;

import java.net.InetAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What people write into a search, as the database reads it. */
final class AuditSearch {

    private static final Pattern PLAIN = Pattern.compile("[0-9a-fA-F:.]{2,45}");
    private static final Pattern NETWORK = Pattern.compile("([0-9a-fA-F:.]{2,45})(?:/(\\d{1,3}))?");

    private static final Pattern WITH_PORT = Pattern.compile("(\\[[^]]*]|[^:]*):(\\d{1,5})");
    private static final int LAST_PORT = 65_535;

    private AuditSearch() {}

    /**
     * A group that is looked for.
     *
     * @param address its address
     * @param port its port, null for any
     */
    public record Group(String address, @Nullable Integer port) {}

    /**
     * A multicast address, with or without a port; with one, an IPv6 address is in brackets.
     *
     * @throws IllegalArgumentException when it is none
     */
    public static @Nullable Group group(@Nullable String text) {
        if (text == null || text.isBlank()) {
            return null;
        }
        String wanted = text.strip();
        Matcher parts = WITH_PORT.matcher(wanted);
        boolean hasPort = parts.matches();
        String plain = hasPort ? parts.group(1) : wanted;
        boolean brackets = plain.startsWith("[") && plain.endsWith("]");
        InetAddress address = literal(brackets ? plain.substring(1, plain.length() - 1) : plain);
        Integer port = hasPort ? Integer.valueOf(parts.group(2)) : null;
        if (address != null
                && address.isMulticastAddress()
                && (port == null || port <= LAST_PORT)) {
            return new Group(address.getHostAddress(), port);
        }
        throw new IllegalArgumentException(
                "must be a multicast address such as 239.192.17.4, or with a port"
                        + " 239.192.17.4:5000");
    }

    /**
     * An address, or a network.
     *
     * @throws IllegalArgumentException when it is none
     */
    public static @Nullable String network(@Nullable String text) {
        if (text == null || text.isBlank()) {
            return null;
        }
        Matcher parts = NETWORK.matcher(text.strip());
        if (parts.matches()) {
            InetAddress address = literal(parts.group(1));
            int most = address == null ? -1 : address.getAddress().length * Byte.SIZE;
            int bits = parts.group(2) == null ? most : Integer.parseInt(parts.group(2));
            if (address != null && bits <= most) {
                return address.getHostAddress() + "/" + bits;
            }
        }
        throw new IllegalArgumentException(
                "must be an address such as 10.0.0.7, or a network such as 10.0.0.0/8");
    }

    private static @Nullable InetAddress literal(String text) {
        if (!PLAIN.matcher(text).matches()) {
            return null; // such as a link's zone
        }
        try {
            return InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException none) {
            return null;
        }
    }
}

package org.madcast.allocator.audit;

import java.net.InetAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What people write into a search, as the database reads it. */
public final class AuditSearch {

    private static final Pattern PLAIN = Pattern.compile("[0-9a-fA-F:.]{2,45}");
    private static final Pattern NETWORK = Pattern.compile("([0-9a-fA-F:.]{2,45})(?:/(\\d{1,3}))?");

    private AuditSearch() {}

    /**
     * A multicast address, with or without a port.
     *
     * @throws IllegalArgumentException when it is none
     */
    public static @Nullable String group(@Nullable String text) {
        if (text == null || text.isBlank()) {
            return null;
        }
        InetAddress address = literal(withoutPort(text.strip()));
        if (address != null && address.isMulticastAddress()) {
            return address.getHostAddress();
        }
        throw new IllegalArgumentException("must be a multicast address such as 239.192.17.4");
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

    private static String withoutPort(String text) {
        int colon = text.indexOf(':');
        if (text.startsWith("[")) {
            return text.substring(1, Math.max(1, text.indexOf(']')));
        }
        return colon >= 0 && colon == text.lastIndexOf(':') ? text.substring(0, colon) : text;
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

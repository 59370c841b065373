package org.madcast.agent.node;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A node as the user names it, {@code host} or {@code host:port}.
 *
 * @param text as it was written
 * @param address where its agent listens, not resolved yet
 */
public record NodeName(String text, InetSocketAddress address) {

    private static final Pattern RANGE = Pattern.compile("^(.*)\\[(\\d+)-(\\d+)](.*)$");
    private static final Pattern NO_RANGE = Pattern.compile("[\\[\\]\\s]");
    private static final int MAX_NODES = 65_534;

    /**
     * Reads a list like {@code h1,h[3-8],10.0.0.7:9000}; a range may have leading zeros.
     *
     * @throws IllegalArgumentException saying what is wrong
     */
    public static List<NodeName> parse(String list) {
        Set<String> names = new LinkedHashSet<>();
        for (String item : list.split(",", -1)) {
            expand(item.strip(), names);
        }
        List<NodeName> nodes = new ArrayList<>();
        for (String name : names) {
            nodes.add(of(name));
        }
        return nodes;
    }

    private static void expand(String item, Set<String> names) {
        Matcher range = RANGE.matcher(item);
        if (!range.matches()) {
            names.add(item);
            if (names.size() > MAX_NODES) {
                throw new IllegalArgumentException("'" + item + "' is one node too many");
            }
            return;
        }
        if (range.group(2).length() > 9 || range.group(3).length() > 9) {
            throw new IllegalArgumentException("'" + item + "' is too long a range");
        }
        int first = Integer.parseInt(range.group(2));
        int last = Integer.parseInt(range.group(3));
        if (last < first || last - first >= MAX_NODES) {
            throw new IllegalArgumentException("'" + item + "' is not a range like h[1-8]");
        }
        for (int i = first; i <= last; i++) {
            String number = String.format(Locale.ROOT, "%0" + range.group(2).length() + "d", i);
            expand(range.group(1) + number + range.group(4), names);
        }
    }

    /** Where its agent listens, as one would type it. */
    public String hostAndPort() {
        return address.getHostString() + ":" + address.getPort();
    }

    private static NodeName of(String name) {
        int colon = name.lastIndexOf(':');
        String host = colon < 0 ? name : name.substring(0, colon);
        if (NO_RANGE.matcher(host).find()) {
            throw new IllegalArgumentException(
                    "'" + name + "' is neither a node nor a range like h[1-8]");
        }
        if (host.isEmpty() || host.contains(":")) {
            throw new IllegalArgumentException(
                    "'" + name + "' is not a node like host or host:port");
        }
        try {
            int port =
                    colon < 0
                            ? NodeChannel.DEFAULT_PORT
                            : Integer.parseInt(name.substring(colon + 1));
            return new NodeName(name, InetSocketAddress.createUnresolved(host, port));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "'" + name + "' is not a node like host or host:port", e);
        }
    }
}

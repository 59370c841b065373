package org.madcast.lab;

import java.net.InetAddress;
import java.util.Comparator;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what {@code bridge -d mdb show} writes. Decides only. */
final class GroupTable {
    private static final Pattern ENTRY =
            Pattern.compile("\\bdev \\S+ port p(\\d+) grp (\\S+)(?: src (\\S+))?");

    private GroupTable() {}

    /** The hosts by group; groups of link-local scope, which switches flood, are left out. */
    static SortedMap<InetAddress, SortedSet<Integer>> read(String table) {
        SortedMap<InetAddress, SortedSet<Integer>> groups =
                new TreeMap<>(
                        Comparator.comparingInt((InetAddress group) -> group.getAddress().length)
                                .thenComparing(InetAddress::getHostAddress));
        for (String line : table.lines().toList()) {
            Matcher entry = ENTRY.matcher(line);
            if (entry.find()) {
                InetAddress group = InetAddress.ofLiteral(entry.group(2));
                if (!group.isMCLinkLocal()) {
                    groups.computeIfAbsent(group, absent -> new TreeSet<>())
                            .add(Integer.parseInt(entry.group(1)));
                }
            }
        }
        return groups;
    }

    /** Whether a bridge has learned behind which port the querier is. */
    static boolean knowsQuerier(String table, String bridge) {
        String heading = "router ports on " + bridge + ":";
        return table.lines().anyMatch(line -> line.startsWith(heading));
    }
}

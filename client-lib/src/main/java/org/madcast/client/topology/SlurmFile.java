package org.madcast.client.topology;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Reads Slurm's {@code topology.conf} (its tree plugin): {@code SwitchName=s0 Nodes=n[0-15]} and
 * {@code SwitchName=top Switches=s[0-3]}. It has no rates, and those that {@code LinkSpeed} gives
 * are numbers without a unit, which Slurm itself ignores: all cables carry the same. Pure.
 */
public final class SlurmFile {

    private SlurmFile() {}

    private record Line(int number, Map<String, String> values) {}

    /** Whether a text looks like a {@code topology.conf}. */
    public static boolean is(String text) {
        return text.lines()
                .map(SlurmFile::bare)
                .filter(line -> !line.isEmpty())
                .findFirst()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("switchname="))
                .isPresent();
    }

    /**
     * The tree that a text declares.
     *
     * @param name where the text comes from, for messages
     * @throws IllegalArgumentException naming the line and what is wrong with it
     */
    public static SwitchTree parse(String name, String text) {
        SwitchTreeBuilder tree = new SwitchTreeBuilder();
        List<String> lines = text.lines().map(SlurmFile::bare).toList();
        List<Line> read = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            if (!lines.get(i).isEmpty()) {
                int number = i + 1;
                String line = lines.get(i);
                at(
                        name,
                        number,
                        () -> {
                            Map<String, String> values = values(line);
                            HostList.expand(values.getOrDefault("switchname", ""))
                                    .forEach(tree::addSwitch);
                            read.add(new Line(number, values));
                        });
            }
        }
        for (Line line : read) {
            at(name, line.number, () -> connect(tree, line.values));
        }
        try {
            return tree.build();
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(name + ": " + wrong.getMessage(), wrong);
        }
    }

    private static void at(String name, int number, Runnable action) {
        try {
            action.run();
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(
                    "%s, line %d: %s".formatted(name, number, wrong.getMessage()), wrong);
        }
    }

    private static String bare(String line) {
        return line.replaceFirst("#.*", "").strip();
    }

    private static Map<String, String> values(String line) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String word : line.split("\\s+", -1)) {
            int equals = word.indexOf('=');
            String key = equals < 0 ? "" : word.substring(0, equals).toLowerCase(Locale.ROOT);
            if (!List.of("switchname", "switches", "nodes", "linkspeed").contains(key)) {
                throw new IllegalArgumentException(
                        "'%s' is none of SwitchName=, Switches=, Nodes= and LinkSpeed="
                                .formatted(word));
            }
            values.put(key, word.substring(equals + 1));
        }
        if (!values.containsKey("switchname")) {
            throw new IllegalArgumentException("SwitchName= is missing");
        }
        return values;
    }

    private static void connect(SwitchTreeBuilder tree, Map<String, String> values) {
        long rate = SwitchTreeBuilder.STANDARD_BITS_PER_SECOND;
        for (String parent : HostList.expand(values.getOrDefault("switchname", ""))) {
            if (values.containsKey("switches")) {
                HostList.expand(values.getOrDefault("switches", ""))
                        .forEach(child -> tree.addCable(parent, child, rate));
            }
            if (values.containsKey("nodes")) {
                HostList.expand(values.getOrDefault("nodes", ""))
                        .forEach(host -> tree.addHost(host, parent, rate));
            }
        }
    }
}

package org.madcast.client.topology;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Trees of switches as plain text, a declaration on each line; what follows a {@code #} is a
 * comment. Names may be lists as {@link HostList} reads them.
 *
 * <pre>
 * switch  s[0-1]
 * cable   s0 s1 100Mbit/s        between two switches
 * host    n[0-3] s0 1Gbit/s      on a switch; without a rate 1Gbit/s
 * host    n[4-7] s1
 * address n0 10.0.0.1 fe80::1    of a host whose name is not enough to know its ranks
 * rank    0 n5                   for tools; either no rank, or each from 0 on
 * </pre>
 */
public final class TreeFile {

    private static final Pattern NAME = Pattern.compile("[\\w.:-]{1,253}");
    private static final Pattern RATE =
            Pattern.compile("(\\d{1,15}(?:\\.\\d{1,3})?)([kmgt]?)bit(?:/s)?");
    private static final Map<String, Long> PREFIXES =
            Map.of(
                    "",
                    1L,
                    "k",
                    1_000L,
                    "m",
                    1_000_000L,
                    "g",
                    1_000_000_000L,
                    "t",
                    1_000_000_000_000L);

    private final SwitchTreeBuilder tree = new SwitchTreeBuilder();

    private TreeFile() {}

    /**
     * The tree that a file declares, in this form or in Slurm's.
     *
     * @throws IllegalArgumentException naming the file, and the line and what is wrong with it
     */
    public static SwitchTree read(Path file) {
        try {
            String text = Files.readString(file);
            String name = file.toString();
            return SlurmFile.is(text) ? SlurmFile.parse(name, text) : parse(name, text);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(
                    "the topology " + file + " cannot be read: " + unreadable, unreadable);
        }
    }

    /**
     * The tree that a text declares.
     *
     * @param name where the text comes from, for messages
     * @throws IllegalArgumentException naming the line and what is wrong with it
     */
    public static SwitchTree parse(String name, String text) {
        TreeFile file = new TreeFile();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            try {
                file.read(line.replaceFirst("#.*", "").strip());
            } catch (IllegalArgumentException wrong) {
                throw new IllegalArgumentException(
                        "%s, line %d: %s".formatted(name, number, wrong.getMessage()), wrong);
            }
        }
        try {
            return file.tree.build();
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(name + ": " + wrong.getMessage(), wrong);
        }
    }

    private void read(String line) {
        if (line.isEmpty()) {
            return;
        }
        List<String> words = Arrays.asList(line.split("\\s+", -1));
        List<String> rest = words.subList(1, words.size());
        switch (words.getFirst()) {
            case "switch" -> {
                need(rest, 1, 1, "switch NAME");
                names(rest.getFirst()).forEach(tree::addSwitch);
            }
            case "host" -> {
                need(rest, 2, 3, "host NAME SWITCH [RATE]");
                long rate = rest.size() > 2 ? rate(rest.get(2)) : standard();
                names(rest.getFirst()).forEach(host -> tree.addHost(host, rest.get(1), rate));
            }
            case "cable" -> {
                need(rest, 2, 3, "cable SWITCH SWITCH [RATE]");
                long rate = rest.size() > 2 ? rate(rest.get(2)) : standard();
                names(rest.get(1)).forEach(other -> tree.addCable(rest.getFirst(), other, rate));
            }
            case "address" -> {
                need(rest, 2, Integer.MAX_VALUE, "address HOST ADDRESS ...");
                rest.subList(1, rest.size())
                        .forEach(address ->
                                tree.addAddress(rest.getFirst(), address.toLowerCase(Locale.ROOT)));
            }
            case "rank" -> {
                need(rest, 2, 2, "rank NUMBER HOST");
                tree.putRank(rank(rest.getFirst()), rest.get(1));
            }
            default ->
                    throw new IllegalArgumentException(
                            "'%s' is none of switch, cable, host, address and rank"
                                    .formatted(words.getFirst()));
        }
    }

    private static void need(List<String> words, int least, int most, String form) {
        if (words.size() < least || words.size() > most) {
            throw new IllegalArgumentException("a line like '" + form + "' is needed");
        }
    }

    private static List<String> names(String list) {
        List<String> names = HostList.expand(list);
        for (String name : names) {
            if (!NAME.matcher(name).matches()) {
                throw new IllegalArgumentException(
                        "the name '%s' has other characters than letters, digits, and . _ : -"
                                .formatted(name));
            }
        }
        return names;
    }

    private static int rank(String text) {
        if (!text.matches("\\d{1,9}")) {
            throw new IllegalArgumentException("the rank '%s' is not a number".formatted(text));
        }
        return Integer.parseInt(text);
    }

    private static long standard() {
        return SwitchTreeBuilder.STANDARD_BITS_PER_SECOND;
    }

    /**
     * A rate such as {@code 100Mbit/s} or {@code 2.5gbit}, in bits per second.
     *
     * @throws IllegalArgumentException when it is none
     */
    public static long rate(String text) {
        Matcher matcher = RATE.matcher(text.toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "the rate '%s' is not like 100Mbit/s".formatted(text));
        }
        long prefix = PREFIXES.getOrDefault(matcher.group(2), 1L);
        return Math.round(Double.parseDouble(matcher.group(1)) * prefix);
    }

    /** A tree in the form that {@link #parse} reads. */
    public static String text(SwitchTree tree) {
        StringBuilder text = new StringBuilder();
        for (int node = 0; node < tree.switches(); node++) {
            text.append("switch ").append(tree.name(node)).append('\n');
        }
        for (SwitchTree.Cable cable : tree.cables()) {
            boolean hostFirst = tree.isHost(cable.one());
            boolean trunk = !hostFirst && !tree.isHost(cable.other());
            text.append(trunk ? "cable " : "host ")
                    .append(tree.name(trunk || hostFirst ? cable.one() : cable.other()))
                    .append(' ')
                    .append(tree.name(trunk || hostFirst ? cable.other() : cable.one()))
                    .append(' ')
                    .append(cable.bitsPerSecond())
                    .append("bit/s\n");
        }
        for (int index = 0; index < tree.hosts(); index++) {
            int host = tree.host(index);
            if (!tree.addresses(host).isEmpty()) {
                text.append("address ")
                        .append(tree.name(host))
                        .append(' ')
                        .append(String.join(" ", tree.addresses(host)))
                        .append('\n');
            }
        }
        return text
                + tree.ranks().entrySet().stream()
                        .map(rank ->
                                "rank %d %s\n".formatted(rank.getKey(), tree.name(rank.getValue())))
                        .collect(Collectors.joining());
    }
}

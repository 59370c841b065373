package org.madcast.agent.topology;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.madcast.client.topology.SwitchTree;

/** Draws a tree of switches as text, not wider than a terminal. */
final class Drawing {

    private static final int WIDTH = 80;

    private final SwitchTree tree;
    private final IntFunction<String> ofHost;
    private final Map<List<Integer>, Long> rates = new HashMap<>();
    private final List<String> lines = new ArrayList<>();

    private Drawing(SwitchTree tree, IntFunction<String> ofHost) {
        this.tree = tree;
        this.ofHost = ofHost;
        for (SwitchTree.Cable cable : tree.cables()) {
            rates.put(List.of(cable.one(), cable.other()), cable.bitsPerSecond());
            rates.put(List.of(cable.other(), cable.one()), cable.bitsPerSecond());
        }
    }

    /**
     * The lines of the drawing.
     *
     * @param ofHost what is written for a host, by its node
     * @param ofTrunk what is written beside a switch's cable to the one above it, by its node
     */
    static List<String> of(
            SwitchTree tree, IntFunction<String> ofHost, IntFunction<String> ofTrunk) {
        Drawing drawing = new Drawing(tree, ofHost);
        drawing.draw(ofTrunk);
        return drawing.lines;
    }

    /** A switch that is still to be drawn, and what stands in front of it and what is below. */
    private record Open(int node, String lead, String below) {}

    private void draw(IntFunction<String> ofTrunk) {
        List<Open> open = new ArrayList<>(List.of(new Open(0, "", "")));
        while (!open.isEmpty()) {
            Open next = open.removeLast();
            int above = tree.parent(next.node);
            String trunk =
                    above == SwitchTree.NONE
                            ? ""
                            : "  "
                                    + rate(rates.getOrDefault(List.of(above, next.node), 0L))
                                    + ofTrunk.apply(next.node);
            lines.add(clip(next.lead + tree.name(next.node) + trunk));
            List<Integer> switches =
                    tree.neighbours(next.node).stream()
                            .filter(node -> !tree.isHost(node) && node != above)
                            .toList();
            hosts(next.node, next.below + (switches.isEmpty() ? "   " : "|  "));
            for (int i = switches.size() - 1; i >= 0; i--) {
                boolean last = i == switches.size() - 1;
                open.add(
                        new Open(
                                switches.get(i),
                                next.below + "+- ",
                                next.below + (last ? "   " : "|  ")));
            }
        }
    }

    /** The hosts of a switch, those with the same rate together, in lines that are not too long. */
    private void hosts(int node, String lead) {
        Map<Long, List<Integer>> byRate =
                tree.neighbours(node).stream()
                        .filter(tree::isHost)
                        .collect(
                                Collectors.groupingBy(
                                        host -> rates.getOrDefault(List.of(node, host), 0L),
                                        TreeMap::new,
                                        Collectors.toList()));
        byRate.forEach((rate, hosts) -> {
            StringBuilder line = new StringBuilder(lead + rate(rate) + ":");
            for (int host : hosts) {
                String word = " " + ofHost.apply(host);
                if (line.length() + word.length() > WIDTH) {
                    lines.add(clip(line.toString()));
                    line = new StringBuilder(lead + "  ");
                }
                line.append(word);
            }
            lines.add(clip(line.toString()));
        });
    }

    private static String clip(String line) {
        return line.length() <= WIDTH ? line : line.substring(0, WIDTH - 3) + "...";
    }

    /** A rate as files and options have it. */
    static String rate(long bitsPerSecond) {
        String[] units = {"bit", "kbit", "mbit", "gbit", "tbit"};
        int unit = 0;
        long left = bitsPerSecond;
        while (left >= 1000 && left % 1000 == 0 && unit < units.length - 1) {
            left /= 1000;
            unit++;
        }
        if (left >= 1000 && left % 100 == 0 && unit < units.length - 1) {
            return left / 1000 + "." + left % 1000 / 100 + units[unit + 1];
        }
        return left + units[unit];
    }
}

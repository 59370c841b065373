package org.madcast.allocator.topology;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.madcast.allocator.web.page.Show;

/**
 * A tree of switches as a drawing: the first switch on top, below each switch its hosts as squares
 * and then the switches behind it. Lengths are in pixels.
 */
public final class TopologyPicture {

    private static final int CELL = 16;
    private static final int BOX_HEIGHT = 26;
    private static final int LEVEL = 92;
    private static final int GAP = 18;
    private static final int MOST_COLUMNS = 32;
    private static final double LETTER = 7.5;

    private final List<Box> boxes = new ArrayList<>();
    private final List<Line> lines = new ArrayList<>();
    private final List<Square> squares = new ArrayList<>();
    private final Map<String, List<Tree.Cable>> cables = new HashMap<>();
    private final Map<String, List<Tree.Hosts>> hosts = new HashMap<>();
    private final Map<String, Double> widths = new HashMap<>();
    private final double slowest;
    private double width;
    private double height;

    /** A switch. */
    public record Box(double x, double y, double width, double height, String name) {}

    /** A cable between two switches, or to hosts; its text is its rate. */
    public record Line(double x1, double y1, double x2, double y2, double thickness, String text) {

        /** Where the text stands. */
        public double textX() {
            return x1 + 0.62 * (x2 - x1);
        }

        /** Where the text stands. */
        public double textY() {
            return y1 + 0.62 * (y2 - y1);
        }
    }

    /** A host. */
    public record Square(double x, double y, String name) {}

    TopologyPicture(Tree tree) {
        for (Tree.Cable cable : tree.cables()) {
            put(cables, cable.one(), cable);
            put(cables, cable.other(), cable);
        }
        tree.hosts().forEach(group -> put(hosts, group.at(), group));
        slowest =
                Math.max(
                        1,
                        tree.cables().stream()
                                .mapToLong(Tree.Cable::bitsPerSecond)
                                .min()
                                .orElse(1));
        String root = tree.switches().getFirst();
        List<Step> walk = walk(root);
        for (Step step : walk.reversed()) {
            widths.put(step.name, widthOf(step));
        }
        Map<String, Double> left = new HashMap<>(Map.of(root, 0.0));
        for (Step step : walk) {
            draw(step, left);
        }
        width = widths.getOrDefault(root, 0.0);
    }

    /** A switch, how deep it is, and what is behind it. */
    private record Step(String name, int depth, List<Behind> behind) {}

    private record Behind(String name, long bitsPerSecond) {}

    private static <T> void put(Map<String, List<T>> lists, String key, T value) {
        lists.computeIfAbsent(key, _ -> new ArrayList<>()).add(value);
    }

    /** Each switch before those behind it. */
    private List<Step> walk(String root) {
        List<Step> walk = new ArrayList<>();
        Set<String> met = new HashSet<>(Set.of(root));
        Map<String, Integer> depths = new HashMap<>(Map.of(root, 0));
        List<String> open = new ArrayList<>(List.of(root));
        for (int i = 0; i < open.size(); i++) {
            String name = open.get(i);
            int depth = depths.getOrDefault(name, 0);
            List<Behind> behind = new ArrayList<>();
            for (Tree.Cable cable : cables.getOrDefault(name, List.of())) {
                String other = cable.one().equals(name) ? cable.other() : cable.one();
                if (met.add(other)) {
                    behind.add(new Behind(other, cable.bitsPerSecond()));
                    depths.put(other, depth + 1);
                    open.add(other);
                }
            }
            walk.add(new Step(name, depth, behind));
        }
        return walk;
    }

    private int hostsOf(Step step) {
        return hosts.getOrDefault(step.name, List.of()).stream()
                .mapToInt(group -> group.names().size())
                .sum();
    }

    private static int columns(int hosts) {
        return Math.clamp((int) Math.ceil(Math.sqrt(2.0 * hosts)), 1, MOST_COLUMNS);
    }

    private static double boxWidth(String name) {
        return 20 + LETTER * name.length();
    }

    private double hostsWidth(Step step) {
        int count = hostsOf(step);
        return count == 0 ? 0 : Math.max(columns(count) * CELL, 80) + GAP;
    }

    private double widthOf(Step step) {
        double below =
                hostsWidth(step)
                        + step.behind.stream()
                                .mapToDouble(it -> widths.getOrDefault(it.name, 0.0))
                                .sum();
        return Math.max(boxWidth(step.name) + GAP, below);
    }

    private void draw(Step step, Map<String, Double> left) {
        double from = left.getOrDefault(step.name, 0.0);
        double middle = from + widths.getOrDefault(step.name, 0.0) / 2;
        double top = 4 + step.depth * (double) LEVEL;
        double bottom = top + BOX_HEIGHT;
        double box = boxWidth(step.name);
        boxes.add(new Box(middle - box / 2, top, box, BOX_HEIGHT, step.name));
        height = Math.max(height, bottom + 4);
        double at = from;
        int count = hostsOf(step);
        if (count > 0) {
            double block = hostsWidth(step);
            drawHosts(step, at + (block - columns(count) * CELL) / 2, top + LEVEL);
            lines.add(line(middle, bottom, at + block / 2, top + LEVEL - 2.0, rateOfHosts(step)));
            at += block;
        }
        for (Behind it : step.behind) {
            double wide = widths.getOrDefault(it.name, 0.0);
            left.put(it.name, at);
            lines.add(line(middle, bottom, at + wide / 2, top + LEVEL, it.bitsPerSecond));
            at += wide;
        }
    }

    private long rateOfHosts(Step step) {
        return hosts.getOrDefault(step.name, List.of()).stream()
                .mapToLong(Tree.Hosts::bitsPerSecond)
                .min()
                .orElse(0);
    }

    private Line line(double x1, double y1, double x2, double y2, long bitsPerSecond) {
        double thickness = 1.5 + 1.5 * Math.log10(Math.max(1, bitsPerSecond / slowest));
        return new Line(x1, y1, x2, y2, Math.min(6, thickness), Show.bits((double) bitsPerSecond));
    }

    private void drawHosts(Step step, double x, double y) {
        int columns = columns(hostsOf(step));
        int number = 0;
        for (Tree.Hosts group : hosts.getOrDefault(step.name, List.of())) {
            for (String name : group.names()) {
                int row = number / columns;
                squares.add(new Square(x + number % columns * CELL, y + row * CELL, name));
                height = Math.max(height, y + (row + 1) * CELL + 4);
                number++;
            }
        }
    }

    /** How wide it is. */
    public double width() {
        return width;
    }

    /** How high it is. */
    public double height() {
        return height;
    }

    /** The switches. */
    public List<Box> boxes() {
        return List.copyOf(boxes);
    }

    /** The cables, those of a switch's hosts as one. */
    public List<Line> lines() {
        return List.copyOf(lines);
    }

    /** The hosts. */
    public List<Square> squares() {
        return List.copyOf(squares);
    }
}

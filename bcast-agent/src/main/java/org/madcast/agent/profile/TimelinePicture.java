package org.madcast.agent.profile;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.madcast.agent.terminal.Svg;

/**
 * What each rank did when: a row for each, from left to right the time by the clocks of the hosts,
 * the kind of call as a colour, and no colour while the program computed. Of many ranks every n-th
 * is drawn. A pixel has the colour of the call that took most of it, if that is at least half.
 */
final class TimelinePicture {

    private static final int MOST_ROWS = 64;
    private static final int WIDTH = 1200;
    private static final int LEFT = 70;
    private static final int TOP = 40;
    private static final int ROW = 16;
    private static final int LEGEND = 160;
    private static final int MARKS = 10;
    private static final String OTHER = "others";
    private static final List<String> COLORS =
            List.of(
                    "#0b5fa5", "#c1272d", "#2e7d32", "#e08a1e", "#6a1b9a", "#5aa9e6", "#8bc34a",
                    "#795548", "#e88a8d", "#777777");

    private final List<ProfileFile> files;
    private final long startNs;
    private final double nsOfAPixel;
    private final Map<String, String> colors = new LinkedHashMap<>();

    TimelinePicture(List<ProfileFile> all) {
        int step = Math.ceilDiv(all.size(), MOST_ROWS);
        List<ProfileFile> drawn = new ArrayList<>();
        for (int i = 0; i < all.size(); i += step) {
            drawn.add(all.get(i));
        }
        files = drawn;
        startNs = files.stream().mapToLong(it -> it.sums().startEpochNs()).min().orElse(0);
        long endNs =
                files.stream()
                        .mapToLong(it -> it.sums().startEpochNs() + it.sums().wallNs())
                        .max()
                        .orElse(1);
        nsOfAPixel = Math.max(1, (double) (endNs - startNs) / WIDTH);
        choose();
    }

    /** The kinds that took longest have a colour of their own. */
    private void choose() {
        Map<String, Long> costs =
                files.stream()
                        .flatMap(it -> it.calls().stream())
                        .collect(
                                Collectors.groupingBy(
                                        ProfiledCall::operation,
                                        Collectors.summingLong(ProfiledCall::tookNs)));
        costs.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder()))
                .limit(COLORS.size() - 1L)
                .forEach(it -> colors.put(it.getKey(), COLORS.get(colors.size())));
        if (costs.size() > colors.size()) {
            colors.put(OTHER, COLORS.getLast());
        }
    }

    String svg() {
        int bottom = TOP + ROW * files.size();
        int height = Math.max(bottom + 40, TOP + ROW * colors.size() + 20);
        Svg svg = new Svg(LEFT + WIDTH + LEGEND, height);
        svg.text(LEFT, 20, "start", "Calls of the ranks");
        for (int mark = 0; mark <= MARKS; mark++) {
            double x = LEFT + (double) mark * WIDTH / MARKS;
            svg.box(x, TOP, 1, bottom - TOP, "#e0e0e0");
            double seconds = (x - LEFT) * nsOfAPixel / 1e9;
            svg.text(x, bottom + 18, "middle", String.format(Locale.ROOT, "%.3g s", seconds));
        }
        for (int row = 0; row < files.size(); row++) {
            int y = TOP + row * ROW;
            svg.text(LEFT - 6, y + ROW - 4, "end", "rank " + files.get(row).sums().rank());
            row(svg, y, files.get(row));
        }
        int y = TOP;
        for (Map.Entry<String, String> each : colors.entrySet()) {
            svg.box(LEFT + WIDTH + 20, y + 2, 12, 12, each.getValue());
            svg.text(LEFT + WIDTH + 38, y + 12, "start", each.getKey());
            y += ROW;
        }
        return svg.end();
    }

    private void row(Svg svg, int y, ProfileFile file) {
        String[] colorOf = pixels(file);
        int from = 0;
        for (int x = 1; x <= WIDTH; x++) {
            if (x == WIDTH || !colorOf[x].equals(colorOf[from])) {
                if (!colorOf[from].isEmpty()) {
                    svg.box(LEFT + from, y + 1, x - from, ROW - 2, colorOf[from]);
                }
                from = x;
            }
        }
    }

    /** The colour of each pixel; empty where the program computed. */
    private String[] pixels(ProfileFile file) {
        List<Map<String, Double>> shares = new ArrayList<>();
        for (int x = 0; x < WIDTH; x++) {
            shares.add(new HashMap<>(2));
        }
        long offsetNs = file.sums().startEpochNs() - startNs;
        for (ProfiledCall call : file.calls()) {
            double from = Math.max(0, (call.startNs() + offsetNs) / nsOfAPixel);
            double to = Math.min(WIDTH, from + call.tookNs() / nsOfAPixel);
            String color = colors.getOrDefault(call.operation(), COLORS.getLast());
            for (int x = (int) from; x < to; x++) {
                shares.get(x).merge(color, Math.min(to, x + 1) - Math.max(from, x), Double::sum);
            }
        }
        return shares.stream().map(TimelinePicture::dominant).toArray(String[]::new);
    }

    private static String dominant(Map<String, Double> shares) {
        double all = shares.values().stream().mapToDouble(Double::doubleValue).sum();
        return all < 0.5
                ? ""
                : shares.entrySet().stream()
                        .max(Map.Entry.comparingByValue())
                        .map(Map.Entry::getKey)
                        .orElse("");
    }
}

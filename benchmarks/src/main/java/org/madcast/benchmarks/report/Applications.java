package org.madcast.benchmarks.report;

import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The applications of {@code madcast example} as a chart: two bars each, blocking and overlapped,
 * with the part of the time that is communication. All are drawn relative to the blocking form.
 */
final class Applications {

    private static final String AREA = "applications";
    private static final String BLOCKING = "blocking";
    private static final String OVERLAPPED = "overlapped";
    private static final int WIDTH = 900;
    private static final int LEFT = 120;
    private static final int TOP = 70;
    private static final int BAR = 20;
    private static final int GROUP = 2 * BAR + 26;
    private static final double SCALE = 560;

    private final List<Measurement> measurements;
    private final List<String> claims;

    /** Those of all measurements. */
    Applications(List<Measurement> all) {
        measurements = all.stream().filter(it -> it.area().equals(AREA)).toList();
        claims =
                measurements.stream()
                        .map(Measurement::claim)
                        .distinct()
                        .filter(claim -> value(claim, "time, " + BLOCKING).isPresent())
                        .filter(claim -> value(claim, "time, " + OVERLAPPED).isPresent())
                        .toList();
    }

    boolean isEmpty() {
        return claims.isEmpty();
    }

    private Optional<Double> value(String claim, String metric) {
        return measurements.stream()
                .filter(it -> it.claim().equals(claim) && it.metric().equals(metric))
                .map(Measurement::median)
                .findFirst();
    }

    /** The picture, as SVG. */
    String chart() {
        int height = TOP + GROUP * claims.size() + 20;
        Formatter svg = new Formatter(Locale.ROOT);
        svg.format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\""
                        + " font-family=\"sans-serif\" font-size=\"13\">\n",
                WIDTH, height);
        svg.format("<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n", WIDTH, height);
        text(svg, LEFT, 26, "Time of each application, as a part of that of its blocking form");
        legend(svg, LEFT, "#0b5fa5", "computing");
        legend(svg, LEFT + 130, "#c1272d", "in communication calls");
        for (int i = 0; i < claims.size(); i++) {
            String claim = claims.get(i);
            int y = TOP + GROUP * i;
            double whole = value(claim, "time, " + BLOCKING).orElseThrow();
            text(svg, 20, y + BAR - 5, part(claim, 0));
            text(svg, 20, y + 2 * BAR - 3, part(claim, 1));
            bar(svg, claim, BLOCKING, y, whole);
            bar(svg, claim, OVERLAPPED, y + BAR + 2, whole);
        }
        svg.format("</svg>\n");
        return svg.toString();
    }

    /** The application, then on how many ranks. */
    private static String part(String claim, int index) {
        return claim.split(", | on ", -1)[index];
    }

    private void bar(Formatter svg, String claim, String form, int y, double whole) {
        double seconds = value(claim, "time, " + form).orElseThrow();
        double communication = value(claim, "communication, " + form).orElse(0.0);
        double computing = SCALE * (seconds - communication) / whole;
        double waiting = SCALE * communication / whole;
        rectangle(svg, LEFT, y, computing, "#0b5fa5");
        rectangle(svg, LEFT + computing, y, waiting, "#c1272d");
        text(
                svg,
                LEFT + computing + waiting + 8,
                y + BAR - 5,
                String.format(Locale.ROOT, "%s %.2f s", form, seconds));
    }

    private static void legend(Formatter svg, int x, String color, String words) {
        rectangle(svg, x, 38, 16, color);
        text(svg, x + 24, 53, words);
    }

    private static void rectangle(Formatter svg, double x, int y, double width, String color) {
        svg.format(
                "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n",
                x, y, width, BAR, color);
    }

    private static void text(Formatter svg, double x, double y, String words) {
        svg.format("<text x=\"%.1f\" y=\"%.1f\">%s</text>\n", x, y, words);
    }
}

package org.madcast.allocator.web.page;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Lines over time. The page has them as a table of values, which its script draws: without scripts,
 * and for readers that cannot see a drawing, the table stays.
 *
 * @param id distinguishes it on its page, so that the drawing survives a refresh
 * @param title what it shows
 * @param unit of all of its values
 * @param log whether its vertical axis is logarithmic
 * @param from the left end of its horizontal axis, in seconds since 1970
 * @param to the right end
 * @param lines the names of its lines
 * @param points the values, the oldest first
 */
public record LineChart(
        String id,
        String title,
        Unit unit,
        boolean log,
        long from,
        long to,
        List<String> lines,
        List<Point> points) {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);

    /** What the values are, and how they are written. */
    public enum Unit {
        BITS_PER_SECOND("bit/s"),
        SECONDS("s"),
        PERCENT("%"),
        PER_SECOND("1/s"),
        COUNT("count");

        private final String sign;

        Unit(String sign) {
            this.sign = sign;
        }

        private String text(double value) {
            return switch (this) {
                case BITS_PER_SECOND -> Show.bits(value);
                case SECONDS -> Show.nanos((long) (value * 1e9));
                case PERCENT -> Show.percent(value);
                case PER_SECOND -> rounded(value) + " /s";
                case COUNT -> rounded(value);
            };
        }

        /** As it is written at the axis. */
        public String sign() {
            return sign;
        }

        private static String rounded(double value) {
            return value == Math.rint(value) || value >= 100
                    ? Show.count(Math.round(value))
                    : String.format(Locale.ROOT, value < 1 ? "%.2f" : "%.1f", value);
        }
    }

    /**
     * The values of one time, one for each line.
     *
     * @param second in seconds since 1970
     */
    public record Point(long second, String time, List<Value> values) {}

    /** A value for the script, and as people read it; both empty where there is none. */
    public record Value(String number, String text) {

        static final Value NONE = new Value("", "–");
    }

    /** Collects the points of a chart. Not for several threads. */
    public static final class Builder {

        private final String id;
        private final String title;
        private final Unit unit;
        private final List<String> lines;
        private final List<Point> points = new ArrayList<>();
        private boolean log;

        /** A chart without points. */
        public Builder(String id, String title, Unit unit, String... lines) {
            this.id = id;
            this.title = title;
            this.unit = unit;
            this.lines = List.of(lines);
        }

        /** With a logarithmic vertical axis. */
        public Builder logarithmic() {
            log = true;
            return this;
        }

        /** The lines' values at this time; NaN where there is none. */
        public void add(long second, double... values) {
            List<Value> shown = new ArrayList<>();
            for (double value : values) {
                shown.add(
                        Double.isFinite(value)
                                ? new Value(number(value), unit.text(value))
                                : Value.NONE);
            }
            points.add(new Point(second, TIME.format(Instant.ofEpochSecond(second)), shown));
        }

        private static String number(double value) {
            return String.format(Locale.ROOT, "%.6g", value);
        }

        /** Whether it has no points. */
        public boolean isEmpty() {
            return points.isEmpty();
        }

        /** The chart from one second to another, both since 1970. */
        public LineChart build(long from, long to) {
            return new LineChart(id, title, unit, log, from, to, lines, List.copyOf(points));
        }
    }
}

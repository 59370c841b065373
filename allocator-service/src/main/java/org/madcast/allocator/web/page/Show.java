package org.madcast.allocator.web.page;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Numbers and times as people read them. */
public final class Show {

    private static final String[] BYTES = {"B", "KiB", "MiB", "GiB", "TiB"};

    private static final DateTimeFormatter MOMENT =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss 'UTC'").withZone(ZoneOffset.UTC);

    private static final DateTimeFormatter CLOCK =
            DateTimeFormatter.ofPattern("HH:mm").withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter SECONDS =
            DateTimeFormatter.ofPattern("HH:mm:ss").withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter DAY =
            DateTimeFormatter.ofPattern("d MMM HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

    private Show() {}

    /** A number with its thousands apart. */
    public static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number).replace(',', '\u202f');
    }

    /** A size in the largest unit that suits it. */
    public static String bytes(long bytes) {
        double value = bytes;
        int unit = 0;
        while (value >= 1024 && unit < BYTES.length - 1) {
            value /= 1024;
            unit++;
        }
        String format = unit == 0 || value >= 100 ? "%.0f %s" : "%.1f %s";
        return String.format(Locale.ROOT, format, value, BYTES[unit]);
    }

    /** A short duration; a dash for none. */
    public static String nanos(long nanos) {
        if (nanos >= 1_000_000_000) {
            return String.format(Locale.ROOT, "%.2f s", nanos / 1e9);
        }
        if (nanos >= 1_000_000) {
            return String.format(Locale.ROOT, "%.2f ms", nanos / 1e6);
        }
        return nanos == 0 ? "–" : String.format(Locale.ROOT, "%.0f µs", nanos / 1e3);
    }

    /** A rate, as networks have it. */
    public static String bits(double bitsPerSecond) {
        return bitsPerSecond >= 1e9
                ? String.format(Locale.ROOT, "%.2f Gbit/s", bitsPerSecond / 1e9)
                : String.format(Locale.ROOT, "%.1f Mbit/s", bitsPerSecond / 1e6);
    }

    /** How long something takes. */
    public static String length(Duration length) {
        return duration(length);
    }

    /** A share; none at all differs from very little. */
    public static String percent(double percent) {
        if (percent > 0 && percent < 0.01) {
            return "< 0.01 %";
        }
        boolean exact = percent == 0 || percent >= 10;
        return String.format(Locale.ROOT, exact ? "%.0f %%" : "%.2f %%", percent);
    }

    /** How long ago something was. */
    public static String ago(Instant then, Instant now) {
        return duration(Duration.between(then, now)) + " ago";
    }

    /** How long it is until then. */
    public static String in(Instant then, Instant now) {
        return "in " + duration(Duration.between(now, then));
    }

    /** A moment in universal time. */
    public static String moment(Instant instant) {
        return MOMENT.format(instant);
    }

    /** Counts of the chosen reasons; a dash when there are none. */
    public static String reasons(Map<String, Long> rejected, Predicate<String> chosen) {
        String text =
                rejected.entrySet().stream()
                        .filter(it -> it.getValue() > 0 && chosen.test(it.getKey()))
                        .sorted(Map.Entry.comparingByKey())
                        .map(it -> it.getKey() + " " + count(it.getValue()))
                        .collect(Collectors.joining(", "));
        return text.isEmpty() ? "–" : text;
    }

    /** Five times, evenly spaced. */
    public static List<String> times(Instant from, long seconds) {
        DateTimeFormatter format = seconds > 86_400 ? DAY : seconds > 1_200 ? CLOCK : SECONDS;
        List<String> times = new ArrayList<>();
        for (int i = 0; i <= 4; i++) {
            times.add(format.format(from.plusSeconds(seconds * i / 4)));
        }
        times.set(4, times.get(4) + " UTC");
        return times;
    }

    private static String duration(Duration duration) {
        long seconds = Math.max(0, duration.toSeconds());
        if (seconds < 60) {
            return seconds + " s";
        }
        if (seconds < 3600) {
            return (seconds + 30) / 60 + " min";
        }
        return seconds < 86_400
                ? seconds / 3600 + " h " + seconds % 3600 / 60 + " min"
                : seconds / 86_400 + " d";
    }
}

package org.madcast.agent.terminal;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes and durations as people write and read them. */
public final class Units {

    private static final Pattern SIZE =
            Pattern.compile("(\\d+)\\s*(B|KiB|MiB|GiB|k|m|g)?", Pattern.CASE_INSENSITIVE);
    private static final Pattern DURATION = Pattern.compile("(\\d+)(ms|s|m|min|h|d)");

    private Units() {}

    /**
     * A size in bytes, such as {@code 16}, {@code 4KiB} or {@code 1MiB}.
     *
     * @throws IllegalArgumentException with the forms that are known
     */
    public static long sizeBytes(String text) {
        Matcher matcher = SIZE.matcher(text.strip());
        if (!matcher.matches() || matcher.group(1).length() > 12) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a size; write 16, 4KiB, 1MiB or 2GiB");
        }
        String unit = matcher.group(2) == null ? "B" : matcher.group(2);
        long scale =
                switch (Character.toLowerCase(unit.charAt(0))) {
                    case 'k' -> 1L << 10;
                    case 'm' -> 1L << 20;
                    case 'g' -> 1L << 30;
                    default -> 1;
                };
        return Long.parseLong(matcher.group(1)) * scale;
    }

    /**
     * A duration such as {@code 30s}, {@code 10m}, {@code 1h} or {@code 2d}.
     *
     * @throws IllegalArgumentException with the forms that are known
     */
    public static Duration duration(String text) {
        Matcher matcher = DURATION.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (!matcher.matches() || matcher.group(1).length() > 9) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a duration; write 30s, 10m, 1h or 2d");
        }
        long amount = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "h" -> Duration.ofHours(amount);
            case "d" -> Duration.ofDays(amount);
            default -> Duration.ofMinutes(amount);
        };
    }

    /** The size for a table: exact where it is a whole number of a unit, else with one decimal. */
    public static String size(long bytes) {
        if (bytes < 1 << 10) {
            return bytes + " B";
        }
        String[] units = {"KiB", "MiB", "GiB", "TiB"};
        double amount = bytes;
        int unit = -1;
        while (amount >= 1024 && unit < units.length - 1) {
            amount /= 1024;
            unit++;
        }
        String format = amount == Math.rint(amount) ? "%.0f %s" : "%.1f %s";
        return String.format(Locale.ROOT, format, amount, units[unit]);
    }

    /** A rate, such as {@code 94.3 Mbit/s}, in the unit that fits it. */
    public static String rate(double bytesPerSecond) {
        double bits = bytesPerSecond * 8;
        if (bits >= 1e9) {
            return String.format(Locale.ROOT, "%.2f Gbit/s", bits / 1e9);
        }
        if (bits >= 1e6) {
            return String.format(Locale.ROOT, "%.1f Mbit/s", bits / 1e6);
        }
        return bits >= 1e3
                ? String.format(Locale.ROOT, "%.1f kbit/s", bits / 1e3)
                : String.format(Locale.ROOT, "%.0f bit/s", bits);
    }
}

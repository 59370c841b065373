package org.madcast.allocator.statistics;

import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Size classes as people say them. */
final class SiteNames {

    private static final Pattern CLASS = Pattern.compile("(\\d{1,4})([KMGTPE]i)?B\\.\\.(.*)");
    private static final List<String> UNITS = List.of("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei");

    /** The smaller sizes first; the text decides between what has the same, or none. */
    static final Comparator<String> BY_SIZE =
            Comparator.comparingDouble(SiteNames::bytes).thenComparing(Comparator.naturalOrder());

    private SiteNames() {}

    private static double bytes(String site) {
        Matcher parts = CLASS.matcher(site);
        if (!parts.matches()) {
            return 0;
        }
        int unit = UNITS.indexOf(parts.group(2) == null ? "" : parts.group(2));
        return Integer.parseInt(parts.group(1)) * Math.pow(1024, unit);
    }

    /** {@code 64KiB.. loop} is "64 to 128 KiB loop"; what is no class of sizes stays as it is. */
    static String of(String site) {
        Matcher parts = CLASS.matcher(site);
        if (!parts.matches()) {
            return site;
        }
        int from = Integer.parseInt(parts.group(1));
        int unit = UNITS.indexOf(parts.group(2) == null ? "" : parts.group(2));
        String rest = parts.group(3);
        if (from == 512 && unit < UNITS.size() - 1) {
            return "512 " + UNITS.get(unit) + "B to 1 " + UNITS.get(unit + 1) + "B" + rest;
        }
        return from + " to " + 2 * from + " " + UNITS.get(unit) + "B" + rest;
    }
}

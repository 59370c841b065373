package org.madcast.benchmarks.report;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * One measured claim.
 *
 * @param area the page that shows it
 * @param values one for each launch
 * @param bar what the value is held against; NaN when there is no bar
 * @param atMost true when the bar is an upper bound, false when it is a lower one
 * @param origin command, machine, date and commit
 */
record Measurement(
        String area,
        String claim,
        String metric,
        String unit,
        List<Double> values,
        double bar,
        boolean atMost,
        String note,
        Origin origin) {

    /** Where numbers come from; date is ISO 8601, and the latest one counts. */
    record Origin(String file, String command, String machine, String date, String commit) {

        /** The fields as lines of a page; in a code span the end of a line is a blank. */
        String line() {
            return "`%s`  \n%s; %s%s;  \n[%s](../../benchmarks/results/%s)"
                    .formatted(
                            command.isEmpty()
                                    ? "command not kept"
                                    : command.replaceAll("(?=.{101})(.{1,100}) ", "$1\n"),
                            machine,
                            day(),
                            commit.isEmpty() ? "" : "; commit " + commit,
                            file,
                            file);
        }

        String day() {
            return date.substring(0, Math.min(10, date.length()));
        }
    }

    boolean hasBar() {
        return !Double.isNaN(bar);
    }

    /** The median of the launches. */
    double median() {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1
                ? sorted.get(middle)
                : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    private double least() {
        return values.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    }

    private double largest() {
        return values.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    }

    /** By how much the median misses the bar; 0 when it keeps it. */
    double miss() {
        return Math.max(0, atMost ? median() - bar : bar - median());
    }

    /**
     * True when the median keeps the bar, or when the bar lies within the range of the launches and
     * the median misses it by no more than that range is wide.
     */
    boolean held() {
        boolean within = least() <= bar && bar <= largest();
        return miss() == 0 || (within && miss() <= largest() - least());
    }

    /** The cell that says whether the bar is held. */
    String verdict() {
        if (!hasBar()) {
            return "";
        }
        if (!held()) {
            return "**not held**: misses by " + format(miss());
        }
        return miss() == 0 ? "held" : "held within the launches";
    }

    String measured() {
        if (values.size() == 1) {
            return withUnit(format(values.getFirst()));
        }
        String all = values.stream().map(Measurement::format).collect(Collectors.joining(", "));
        return withUnit("**" + format(median()) + "**") + " (" + all + ")";
    }

    String limit() {
        return hasBar() ? (atMost ? "&le; " : "&ge; ") + withUnit(format(bar)) : "";
    }

    private String withUnit(String number) {
        return unit.isEmpty() ? number : number + " " + unit;
    }

    /** A number without trailing zeros. */
    static String format(double value) {
        String text = String.format(Locale.ROOT, "%,.4f", value);
        return text.replaceAll("0+$", "").replaceAll("\\.$", "");
    }
}

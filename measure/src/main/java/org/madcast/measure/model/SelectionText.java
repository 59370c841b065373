package org.madcast.measure.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A table of which broadcast algorithm serves when, in the form that the setting {@code selection}
 * reads: for each number of ranks that was asked for, and those below it, ranges of sizes.
 */
final class SelectionText {

    private final ModelGrid.Source withMulticast;
    private final ModelGrid.Source without;
    private final List<Integer> ranks;
    private final List<Long> sizesBytes;

    SelectionText(
            ModelGrid.Source withMulticast,
            ModelGrid.Source without,
            List<Integer> ranks,
            List<Long> sizesBytes) {
        this.withMulticast = withMulticast;
        this.without = without;
        this.ranks = ranks;
        this.sizesBytes = sizesBytes;
    }

    /** The whole file. */
    String text(String network) {
        StringBuilder text = new StringBuilder();
        text.append("# Which algorithm serves a broadcast that names none: by 'madcast model'.\n");
        text.append("# network: ").append(network.replace('\n', ' ')).append('\n');
        text.append("# All ranks of a communicator need the same table.\n#\n");
        text.append("# multicast ranks bytes algorithm why\n");
        rows(text, "yes", withMulticast);
        rows(text, "no", without);
        return text.toString();
    }

    private void rows(StringBuilder text, String multicast, ModelGrid.Source source) {
        int least = 2;
        for (int i = 0; i < ranks.size(); i++) {
            boolean last = i == ranks.size() - 1;
            String range = last ? least + "-" : range(least, ranks.get(i));
            for (Row row : rows(source, ranks.get(i))) {
                text.append(multicast)
                        .append(' ')
                        .append(range)
                        .append(' ')
                        .append(row.bytes())
                        .append(' ')
                        .append(row.algorithm)
                        .append(' ')
                        .append(row.why(ranks.get(i)))
                        .append('\n');
            }
            least = ranks.get(i) + 1;
        }
    }

    private static String range(int least, int most) {
        return least == most ? String.valueOf(most) : least + "-" + most;
    }

    /** Sizes from one to another that one algorithm is the quickest for. */
    private static final class Row {
        private final String algorithm;
        private final long fromBytes;
        private long toBytes;
        private final double ns;
        private final long atBytes;

        private Row(ModelGrid.Prediction best, long fromBytes, long atBytes) {
            algorithm = best.algorithm();
            ns = best.ns();
            this.fromBytes = fromBytes;
            this.atBytes = atBytes;
        }

        private String bytes() {
            return toBytes == Long.MAX_VALUE
                    ? size(fromBytes) + "-"
                    : size(fromBytes) + "-" + size(toBytes);
        }

        private String why(int size) {
            return String.format(
                    Locale.ROOT,
                    "%s ms predicted for %s bytes to %d ranks",
                    ModelGrid.ms(ns),
                    size(atBytes),
                    size);
        }
    }

    private List<Row> rows(ModelGrid.Source source, int size) {
        List<Row> rows = new ArrayList<>();
        long from = 0;
        for (int i = 0; i < sizesBytes.size(); i++) {
            long bytes = sizesBytes.get(i);
            ModelGrid.Prediction best = source.predict(size, bytes).getFirst();
            if (rows.isEmpty() || !rows.getLast().algorithm.equals(best.algorithm())) {
                rows.add(new Row(best, from, bytes));
            }
            boolean last = i == sizesBytes.size() - 1;
            rows.getLast().toBytes = last ? Long.MAX_VALUE : bytes;
            from = bytes + 1;
        }
        return rows;
    }

    /** A size as the table writes it: at most nine digits and a unit. */
    private static String size(long bytes) {
        for (int power = 3; power > 0; power--) {
            long unit = 1L << (10 * power);
            if (bytes >= unit && bytes % unit == 0) {
                return bytes / unit + List.of("KiB", "MiB", "GiB").get(power - 1);
            }
        }
        return String.valueOf(bytes);
    }
}

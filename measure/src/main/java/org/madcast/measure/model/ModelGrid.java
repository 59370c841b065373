package org.madcast.measure.model;

import java.util.List;
import java.util.Locale;
import org.madcast.agent.terminal.Table;
import org.madcast.agent.terminal.Units;

/**
 * Predictions for numbers of ranks and sizes of messages. Immutable.
 *
 * @param what the operation
 * @param ranks in rising order
 * @param sizesBytes in rising order
 * @param source predicts
 */
record ModelGrid(String what, List<Integer> ranks, List<Long> sizesBytes, Source source) {

    /** What an algorithm is said to take. */
    record Prediction(String algorithm, double ns) {}

    /** Predicts a cell. */
    interface Source {

        /** Every algorithm, in an order that is always the same. */
        List<String> algorithms();

        /** Of each of them, the quickest first. */
        List<Prediction> predict(int ranks, long bytes);
    }

    List<Prediction> at(int size, long bytes) {
        return source.predict(size, bytes);
    }

    /** The sign of an algorithm in the table, which no other one has. */
    char letter(String algorithm) {
        return (char) ('a' + source.algorithms().indexOf(algorithm));
    }

    /** The quickest of each cell: its time in ms and its letter. */
    Table quickest() {
        String[] head = new String[ranks.size() + 1];
        head[0] = "size";
        for (int i = 0; i < ranks.size(); i++) {
            head[i + 1] = ranks.get(i) + " ranks";
        }
        Table table = new Table(head);
        for (long bytes : sizesBytes) {
            Object[] cells = new Object[head.length];
            cells[0] = Units.size(bytes);
            for (int i = 0; i < ranks.size(); i++) {
                Prediction best = at(ranks.get(i), bytes).getFirst();
                cells[i + 1] = ms(best.ns()) + " " + letter(best.algorithm());
            }
            table.row(cells);
        }
        return table;
    }

    /** All algorithms of each cell. */
    Table all() {
        Table table = new Table("ranks", "size", "algorithm", "ms", "of the quickest");
        for (int size : ranks) {
            for (long bytes : sizesBytes) {
                List<Prediction> predictions = at(size, bytes);
                for (Prediction prediction : predictions) {
                    double ratio = prediction.ns() / predictions.getFirst().ns();
                    table.row(
                            size,
                            Units.size(bytes),
                            prediction.algorithm(),
                            ms(prediction.ns()),
                            String.format(Locale.ROOT, "%.2f", ratio));
                }
            }
        }
        return table;
    }

    /** Milliseconds with three digits that count. */
    static String ms(double ns) {
        double ms = ns / 1e6;
        return String.format(Locale.ROOT, ms < 10 ? "%.3f" : ms < 100 ? "%.2f" : "%.0f", ms);
    }
}

package org.madcast.allocator.lease;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.madcast.allocator.web.Problem;

/** Work on each row of a table; the rows that are wrong are refused together, by their lines. */
final class EachRow {

    /** How many wrong rows one answer names. */
    static final int MOST = 20;

    private EachRow() {}

    static <T, R> List<R> of(List<T> rows, Function<T, R> work) {
        List<R> done = new ArrayList<>();
        run(rows, row -> done.add(work.apply(row)));
        return done;
    }

    static <T> void run(List<T> rows, Consumer<T> work) {
        List<Problem> wrong = new ArrayList<>();
        for (T row : rows) {
            try {
                work.accept(row);
            } catch (Problem problem) {
                if (!problem.isInvalid()) {
                    throw problem;
                }
                wrong.add(problem);
                if (wrong.size() == MOST) {
                    break;
                }
            }
        }
        if (!wrong.isEmpty()) {
            throw Problem.allOf(wrong);
        }
    }
}

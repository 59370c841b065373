package mpi;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Numbers for the processes that this one knows, which groups consist of: first those of its
 * COMM_WORLD, by rank, then those of other jobs. Another process may have other numbers.
 */
final class Processes {

    /** A process, as all processes name it: by its job's token and its rank in COMM_WORLD. */
    record Identity(long job, int rank) {}

    private final List<Identity> known = new ArrayList<>();
    private final Map<Identity, Integer> numbers = new HashMap<>();

    /** Knows those of this job. */
    Processes(long job, int size) {
        for (int rank = 0; rank < size; rank++) {
            int _ = numberOf(new Identity(job, rank));
        }
    }

    /** The number of a process, which is known from now on. */
    synchronized int numberOf(Identity process) {
        Integer number = numbers.putIfAbsent(process, known.size());
        if (number != null) {
            return number;
        }
        known.add(process);
        return known.size() - 1;
    }

    /** The process of a number. */
    synchronized Identity identity(int number) {
        return known.get(number);
    }
}

import java.util.Arrays;
import java.util.Random;
import org.madcast.client.Communicator;
import org.madcast.client.Elements;

/** Sorts numbers that are spread over all ranks: rank r ends with the r-th part of the sorted whole. */
public class SampleSort {

    private static final int EACH = 100_000;

    public static void main(String[] arguments) {
        try (Communicator world = Communicator.fromEnvironment()) {
            int ranks = world.size();
            int[] own = new Random(world.rank()).ints(EACH).sorted().toArray();

            // Some numbers of each rank tell all ranks where to cut.
            int[] sample = new int[ranks];
            Arrays.setAll(sample, i -> own[(int) ((long) EACH * i / ranks)]);
            int[] samples = new int[ranks * ranks];
            world.allgather(Elements.of(sample), Elements.of(samples));
            Arrays.sort(samples);

            int[] starts = new int[ranks + 1];
            starts[ranks] = EACH;
            for (int rank = 1; rank < ranks; rank++) {
                int cut = Arrays.binarySearch(own, samples[rank * ranks]);
                starts[rank] = cut < 0 ? -cut - 1 : cut;
            }
            int[] counts = new int[ranks];
            Arrays.setAll(counts, rank -> starts[rank + 1] - starts[rank]);
            int[] incoming = new int[ranks];
            world.alltoall(Elements.of(counts), Elements.of(incoming));

            int[] sorted = new int[Arrays.stream(incoming).sum()];
            world.alltoallv(Elements.of(own), counts, Elements.of(sorted), incoming);
            Arrays.sort(sorted);
            check(world, sorted);
        }
    }

    /** No rank begins below where the one before it ends, and no number got lost. */
    private static void check(Communicator world, int[] sorted) {
        int[] ends = new int[3 * world.size()];
        int length = sorted.length;
        int[] mine = {length, length == 0 ? 0 : sorted[0], length == 0 ? 0 : sorted[length - 1]};
        world.gather(Elements.of(mine), Elements.of(ends), 0);
        if (world.rank() == 0) {
            int total = 0;
            int highest = Integer.MIN_VALUE;
            boolean inOrder = true;
            for (int rank = 0; rank < world.size(); rank++) {
                total += ends[3 * rank];
                if (ends[3 * rank] > 0) {
                    inOrder &= ends[3 * rank + 1] >= highest;
                    highest = ends[3 * rank + 2];
                }
            }
            System.out.println((inOrder ? "sorted " : "NOT SORTED: ") + total + " numbers");
        }
    }
}

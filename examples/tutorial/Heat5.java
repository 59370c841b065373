import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.madcast.client.Communicator;
import org.madcast.client.Elements;
import org.madcast.client.ReduceOperation.Kind;

/**
 * Step 5: while the border rows are under way, a rank computes what does not need them.
 * {@code madcast run -n 3 -- java Heat5.java}
 */
public class Heat5 {

    public static void main(String[] arguments) {
        try (Communicator world = Communicator.fromEnvironment()) {
            Heat2.check(world);
            int first = Heat1.SIDE * world.rank() / world.size();
            int rows = Heat1.SIDE * (world.rank() + 1) / world.size() - first;
            double[][] now = new double[rows + 2][Heat1.SIDE + 2];
            double[][] next = new double[rows + 2][Heat1.SIDE + 2];
            double[] edge = {world.rank() == 0 ? 100 : 0};
            world.bcast(Elements.of(edge), 0);
            for (int step = 0; step < Heat1.STEPS; step++) {
                Arrays.fill(now[0], edge[0]);
                List<CompletableFuture<?>> begun = begin(world, now, rows);
                spread(now, next, 2, rows - 1); // needs nothing from the neighbours
                begun.forEach(CompletableFuture::join);
                spread(now, next, 1, 1);
                spread(now, next, Math.max(2, rows), rows);
                double[][] swapped = now;
                now = next;
                next = swapped;
            }
            double[] heat = {sum(now, rows)};
            world.reduce(Elements.of(heat), Elements.of(heat), Kind.SUM, 0);
            if (world.rank() == 0) {
                System.out.printf("heat %.6f%n", heat[0]);
            }
        }
    }

    private static List<CompletableFuture<?>> begin(Communicator world, double[][] plate, int rows) {
        int above = world.rank() - 1;
        int below = world.rank() + 1;
        List<CompletableFuture<?>> begun = new ArrayList<>();
        if (above >= 0) {
            begun.add(world.irecv(Elements.of(plate[0]), above, 0));
            begun.add(world.isend(Elements.of(plate[1]), above, 0));
        }
        if (below < world.size()) {
            begun.add(world.irecv(Elements.of(plate[rows + 1]), below, 0));
            begun.add(world.isend(Elements.of(plate[rows]), below, 0));
        }
        return begun;
    }

    private static void spread(double[][] now, double[][] next, int from, int to) {
        for (int row = from; row <= to; row++) {
            for (int column = 1; column <= Heat1.SIDE; column++) {
                next[row][column] =
                        (now[row - 1][column] + now[row + 1][column] + now[row][column - 1] + now[row][column + 1]) / 4;
            }
        }
    }

    private static double sum(double[][] plate, int rows) {
        double heat = 0;
        for (int row = 1; row <= rows; row++) {
            for (int column = 1; column <= Heat1.SIDE; column++) {
                heat += plate[row][column];
            }
        }
        return heat;
    }
}

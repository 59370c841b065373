import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.madcast.client.Communicator;
import org.madcast.client.Elements;
import org.madcast.client.ReduceOperation.Kind;

/**
 * Step 4: each rank has a strip of the plate and exchanges its border rows with its neighbours; the heat of all
 * strips is added up. {@code madcast run -n 3 -- java Heat4.java}
 */
public class Heat4 {

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
                Arrays.fill(now[0], edge[0]); // of rank 0; the others get their neighbour's row
                exchange(world, now, rows);
                spread(now, next, 1, rows);
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

    private static void exchange(Communicator world, double[][] plate, int rows) {
        int above = world.rank() - 1;
        int below = world.rank() + 1;
        // Begun first: the rank below may send while this one waits for the rank above.
        CompletableFuture<?> lower =
                below < world.size()
                        ? world.irecv(Elements.of(plate[rows + 1]), below, 0)
                        : CompletableFuture.completedFuture(null);
        if (above >= 0) {
            world.sendRecv(Elements.of(plate[1]), above, 0, Elements.of(plate[0]), above, 0);
        }
        if (below < world.size()) {
            world.send(Elements.of(plate[rows]), below, 0);
        }
        lower.join();
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

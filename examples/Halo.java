import org.madcast.client.Communicator;
import org.madcast.client.Elements;
import org.madcast.client.ReduceOperation.Kind;

/**
 * Heat spreads over a square plate that is cut into strips, one for each rank. Before each step a rank
 * gives its border rows to its neighbours and gets theirs.
 */
public class Halo {

    private static final int SIDE = 96;
    private static final int STEPS = 200;

    public static void main(String[] arguments) {
        try (Communicator world = Communicator.fromEnvironment()) {
            int first = SIDE * world.rank() / world.size();
            int rows = SIDE * (world.rank() + 1) / world.size() - first;
            // Row 0 and row rows + 1 are the neighbours' border rows, or the edge of the plate.
            double[] now = new double[(rows + 2) * SIDE];
            double[] next = new double[(rows + 2) * SIDE];
            if (world.rank() == 0) {
                java.util.Arrays.fill(now, 0, SIDE, 100); // the upper edge is hot
                java.util.Arrays.fill(next, 0, SIDE, 100);
            }
            for (int step = 0; step < STEPS; step++) {
                exchange(world, now, rows);
                for (int row = 1; row <= rows; row++) {
                    for (int column = 1; column < SIDE - 1; column++) {
                        int at = row * SIDE + column;
                        next[at] = (now[at - SIDE] + now[at + SIDE] + now[at - 1] + now[at + 1]) / 4;
                    }
                }
                double[] swapped = now;
                now = next;
                next = swapped;
            }
            double[] heat = {0};
            for (int at = SIDE; at < (rows + 1) * SIDE; at++) {
                heat[0] += now[at];
            }
            double[] sum = new double[1];
            world.reduce(Elements.of(heat), Elements.of(sum), Kind.SUM, 0);
            if (world.rank() == 0) {
                System.out.printf("heat %.6f after %d steps%n", sum[0], STEPS);
            }
        }
    }

    private static void exchange(Communicator world, double[] plate, int rows) {
        int above = world.rank() - 1;
        int below = world.rank() + 1;
        var upper = above < 0 ? null : world.irecv(row(plate, 0), above, 0);
        var lower = below == world.size() ? null : world.irecv(row(plate, rows + 1), below, 0);
        if (upper != null) {
            world.send(row(plate, 1), above, 0);
        }
        if (lower != null) {
            world.send(row(plate, rows), below, 0);
            lower.join();
        }
        if (upper != null) {
            upper.join();
        }
    }

    private static Elements row(double[] plate, int number) {
        return Elements.of(plate, number * SIDE, SIDE);
    }
}

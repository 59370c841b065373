import java.lang.foreign.MemorySegment;
import java.util.List;
import org.madcast.client.Communicator;
import org.madcast.client.Elements;
import org.madcast.client.Grid;
import org.madcast.client.ReduceOperation.Kind;
import org.madcast.client.Topology;

/**
 * Heat spreads over a square plate that is cut into blocks, one for each rank of a grid. Before each step
 * a rank gives its borders to its neighbours above, below, left and right, and gets theirs.
 */
public class Halo {

    private static final int SIDE = 96;
    private static final int STEPS = 200;

    public static void main(String[] arguments) {
        try (Communicator world = Communicator.fromEnvironment()) {
            Grid grid = new Grid(Grid.divide(world.size(), 0, 0), false, false);
            if (grid.dims()[0] > SIDE || grid.dims()[1] > SIDE - 2) {
                refuse(world, grid);
            }
            int[] at = grid.coordinates(world.rank());
            Block now = new Block(part(SIDE, at[0], grid.dims()[0]), part(SIDE - 2, at[1], grid.dims()[1]));
            Block next = new Block(now.rows, now.columns);
            if (at[0] == 0) {
                java.util.Arrays.fill(now.heat, 1, now.width - 1, 100); // the upper edge is hot
                java.util.Arrays.fill(next.heat, 1, now.width - 1, 100);
            }
            Topology plate = Topology.of(world, grid);
            for (int step = 0; step < STEPS; step++) {
                now.exchange(plate);
                next.advance(now);
                Block swapped = now;
                now = next;
                next = swapped;
            }
            double[] heat = {now.sum()};
            double[] sum = new double[1];
            world.reduce(Elements.of(heat), Elements.of(sum), Kind.SUM, 0);
            if (world.rank() == 0) {
                System.out.printf("heat %.6f after %d steps%n", sum[0], STEPS);
            }
        }
    }

    /** Ends all ranks, after rank 0 has said why. */
    private static void refuse(Communicator world, Grid grid) {
        if (world.rank() == 0) {
            System.err.printf("a grid of %d by %d ranks is too fine", grid.dims()[0], grid.dims()[1]);
            System.err.printf(" for a plate of %d by %d points%n", SIDE, SIDE - 2);
        }
        world.barrier();
        world.close();
        System.exit(2);
    }

    /** How much of a length falls to one of several parts. */
    private static int part(int length, int number, int parts) {
        return length * (number + 1) / parts - length * number / parts;
    }

    /** A rank's part of the plate, with the borders of its neighbours, or the edge of the plate, around it. */
    private static class Block {
        private final int rows;
        private final int columns;
        private final int width;
        private final double[] heat;
        private final double[][] sides; // own left and right border, then the neighbours'

        Block(int rows, int columns) {
            this.rows = rows;
            this.columns = columns;
            this.width = columns + 2;
            this.heat = new double[(rows + 2) * width];
            this.sides = new double[4][rows];
        }

        /** Rows lie in one piece and are sent from where they are; columns do not. */
        void exchange(Topology plate) {
            for (int row = 0; row < rows; row++) {
                int first = (row + 1) * width;
                sides[0][row] = heat[first + 1];
                sides[1][row] = heat[first + columns];
            }
            plate.alltoallw( // above, below, left, right
                    List.of(row(1), row(rows), of(sides[0]), of(sides[1])),
                    List.of(row(0), row(rows + 1), of(sides[2]), of(sides[3])));
            for (int row = 0; row < rows; row++) {
                int first = (row + 1) * width;
                heat[first] = sides[2][row];
                heat[first + columns + 1] = sides[3][row];
            }
        }

        private MemorySegment row(int number) {
            return Elements.of(heat, number * width + 1, columns).memory();
        }

        private static MemorySegment of(double[] side) {
            return MemorySegment.ofArray(side);
        }

        void advance(Block before) {
            double[] old = before.heat;
            for (int row = 1; row <= rows; row++) {
                for (int column = 1; column <= columns; column++) {
                    int at = row * width + column;
                    heat[at] = (old[at - width] + old[at + width] + old[at - 1] + old[at + 1]) / 4;
                }
            }
        }

        double sum() {
            double sum = 0;
            for (int row = 1; row <= rows; row++) {
                for (int column = 1; column <= columns; column++) {
                    sum += heat[row * width + column];
                }
            }
            return sum;
        }
    }
}

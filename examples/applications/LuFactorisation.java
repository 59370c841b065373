import java.util.concurrent.CompletableFuture;
import org.madcast.client.Elements;
import org.madcast.client.ReduceOperation.Kind;

/**
 * LU factorisation with partial pivoting, in the shape of HPL: columns in blocks, dealt to the ranks in turn. The
 * owner of a block factorises it and broadcasts this panel, with which all update the columns to its right.
 * Overlapped, the next owner updates and factorises its block first, and the next panel is under way while all
 * update the rest. {@code madcast run -n 4 -- java LuFactorisation.java size=512}
 */
public class LuFactorisation implements Trial.Application {

    private static final int WIDTH = 32;

    private final Trial trial;
    private final int size;
    private final int blocks;
    private Matrix mine;

    private LuFactorisation(Trial trial) {
        this.trial = trial;
        size = trial.number("size", 1536, WIDTH, 10_000);
        Trial.require(size % WIDTH == 0, "size must be a multiple of " + WIDTH + ", not " + size);
        blocks = size / WIDTH;
        int ranks = trial.world.size();
        Trial.require(ranks <= blocks, ranks + " ranks are too many for " + blocks + " blocks of columns");
    }

    public static void main(String[] arguments) {
        Trial.run(arguments, LuFactorisation::new);
    }

    @Override
    public double[] alone() {
        Matrix whole = new Matrix(0, 1);
        whole.factorise(false);
        return whole.sums();
    }

    @Override
    public void together(boolean overlapped) {
        mine = new Matrix(trial.world.rank(), trial.world.size());
        mine.factorise(overlapped);
    }

    @Override
    public double[] digest() {
        double[] sums = mine.sums();
        trial.world.allreduce(Elements.of(sums), Elements.of(sums), Kind.SUM);
        return sums;
    }

    @Override
    public double tolerance() {
        return 1e-9; // the sums over all columns are taken in another order
    }

    /** A factorised block: its columns from the diagonal on, then the rows that were exchanged. */
    private final class Panel {
        private final int first;
        private final int rows;
        private final double[] data;
        private CompletableFuture<Void> broadcast;

        Panel(int block) {
            first = block * WIDTH;
            rows = size - first;
            data = new double[(rows + 1) * WIDTH];
        }

        int pivot(int column) {
            return (int) data[rows * WIDTH + column];
        }

        /** What column {@code column} of the block has at a row of the matrix. */
        int at(int column, int row) {
            return column * rows + row - first;
        }
    }

    /** The blocks of one rank. */
    private final class Matrix {
        private final int rank;
        private final int ranks;
        private final double[][] columns = new double[size][]; // those of other ranks are null

        Matrix(int rank, int ranks) {
            this.rank = rank;
            this.ranks = ranks;
            for (int column = 0; column < size; column++) {
                if (owns(column / WIDTH)) {
                    columns[column] = new double[size];
                    for (int row = 0; row < size; row++) {
                        long mixed = ((long) row * size + column + 1) * 0x9E3779B97F4A7C15L;
                        columns[column][row] = ((mixed ^ mixed >>> 29) >>> 11) * 0x1p-53 - 0.5;
                    }
                }
            }
        }

        private boolean owns(int block) {
            return block % ranks == rank;
        }

        void factorise(boolean overlapped) {
            Panel panel = send(0);
            for (int block = 0; block < blocks; block++) {
                if (ranks > 1) {
                    trial.await(panel.broadcast);
                }
                Panel next = null;
                int from = block + 1;
                if (overlapped && from < blocks) {
                    update(panel, from, from + 1);
                    next = send(from);
                    update(panel, from + 1, blocks);
                } else {
                    update(panel, from, blocks);
                    next = from < blocks ? send(from) : null;
                }
                panel = next;
            }
        }

        /** The owner factorises the block; its broadcast begins. */
        private Panel send(int block) {
            Panel panel = new Panel(block);
            if (owns(block)) {
                factorise(panel);
            }
            if (ranks > 1) {
                panel.broadcast = trial.communicate(() ->
                        trial.world.ibcast(Elements.of(panel.data), block % ranks));
            }
            return panel;
        }

        private void factorise(Panel panel) {
            for (int k = 0; k < WIDTH; k++) {
                int diagonal = panel.first + k;
                double[] column = columns[diagonal];
                int pivot = diagonal;
                for (int row = diagonal; row < size; row++) {
                    if (Math.abs(column[row]) > Math.abs(column[pivot])) {
                        pivot = row;
                    }
                }
                panel.data[panel.rows * WIDTH + k] = pivot;
                for (int other = panel.first; other < panel.first + WIDTH; other++) {
                    exchange(columns[other], diagonal, pivot);
                }
                for (int row = diagonal + 1; row < size; row++) {
                    column[row] /= column[diagonal];
                }
                for (int other = diagonal + 1; other < panel.first + WIDTH; other++) {
                    subtract(columns[other], columns[other][diagonal], column, 0, diagonal + 1);
                }
            }
            for (int k = 0; k < WIDTH; k++) {
                double[] column = columns[panel.first + k];
                System.arraycopy(column, panel.first, panel.data, k * panel.rows, panel.rows);
            }
        }

        /** What a panel does to the blocks from one to before another. */
        private void update(Panel panel, int fromBlock, int toBlock) {
            for (int column = fromBlock * WIDTH; column < toBlock * WIDTH; column++) {
                double[] values = columns[column];
                for (int k = 0; values != null && k < WIDTH; k++) {
                    exchange(values, panel.first + k, panel.pivot(k));
                }
                for (int k = 0; values != null && k < WIDTH; k++) {
                    int diagonal = panel.first + k;
                    int shift = panel.at(k, 0);
                    subtract(values, values[diagonal], panel.data, shift, diagonal + 1);
                }
            }
        }

        private void subtract(double[] values, double factor, double[] from, int shift, int firstRow) {
            for (int row = firstRow; row < size; row++) {
                values[row] -= factor * from[row + shift];
            }
        }

        private void exchange(double[] column, int row, int other) {
            double value = column[row];
            column[row] = column[other];
            column[other] = value;
        }

        /** Of the sizes of all values of both factors, by row and by column. */
        double[] sums() {
            double[] sums = new double[2];
            for (int column = 0; column < size; column++) {
                for (int row = 0; columns[column] != null && row < size; row++) {
                    sums[0] += Math.abs(columns[column][row]) * (row + 1);
                    sums[1] += Math.abs(columns[column][row]) * (column + 1);
                }
            }
            return sums;
        }
    }
}

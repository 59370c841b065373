import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.madcast.client.Elements;
import org.madcast.client.ReduceOperation.Kind;

/**
 * Conjugate gradients on a 3-D Poisson problem: a cube of points, each joined to its 26 neighbours, cut into
 * slabs. Before each product with the matrix a rank exchanges its border planes with its neighbours; overlapped,
 * it computes its inner planes meanwhile. {@code madcast run -n 4 -- java ConjugateGradient.java size=64}
 */
public class ConjugateGradient implements Trial.Application {

    private final Trial trial;
    private final int size;
    private final int steps;
    private Slab mine;

    private ConjugateGradient(Trial trial) {
        this.trial = trial;
        size = trial.number("size", 192, 2, 400);
        steps = trial.number("steps", 10, 1, 1000);
        int ranks = trial.world.size();
        Trial.require(ranks <= size, ranks + " ranks are too many for a cube of " + size + " planes");
        int first = Trial.first(size, trial.world.rank(), ranks);
        mine = new Slab(first, Trial.first(size, trial.world.rank() + 1, ranks) - first);
    }

    public static void main(String[] arguments) {
        Trial.run(arguments, ConjugateGradient::new);
    }

    @Override
    public double[] alone() {
        Slab whole = new Slab(0, size);
        whole.solve(false, false);
        return whole.sums();
    }

    @Override
    public void together(boolean overlapped) {
        mine.solve(true, overlapped);
    }

    @Override
    public double[] digest() {
        double[] sums = mine.sums();
        trial.world.allreduce(Elements.of(sums), Elements.of(sums), Kind.SUM);
        return sums;
    }

    @Override
    public double tolerance() {
        return 1e-9; // the sums over all points are taken in another order
    }

    /** Some planes of the cube, with a border of zeros, or of the neighbours' planes, on every side. */
    private final class Slab {
        private final int first;
        private final int planes;
        private final int row = size + 2;
        private final int plane = row * row;
        private final double[] solution;
        private final double[] residual;
        private final double[] direction;
        private final double[] product;

        Slab(int first, int planes) {
            this.first = first;
            this.planes = planes;
            solution = new double[(planes + 2) * plane];
            residual = solution.clone();
            direction = solution.clone();
            product = solution.clone();
        }

        void solve(boolean shared, boolean overlapped) {
            Arrays.fill(solution, 0);
            for (int z = 1; z <= planes; z++) {
                for (int at : rows(z)) {
                    for (int x = 1; x <= size; x++) {
                        residual[at + x] = 1 + (31L * (first + z) + 17L * (at % plane / row) + x) % 13;
                    }
                }
            }
            System.arraycopy(residual, 0, direction, 0, residual.length);
            double error = sum(dot(residual, residual), shared);
            for (int step = 0; step < steps; step++) {
                multiply(shared, overlapped);
                double length = error / sum(dot(direction, product), shared);
                for (int i = plane; i < (planes + 1) * plane; i++) {
                    solution[i] += length * direction[i];
                    residual[i] -= length * product[i];
                }
                double before = error;
                error = sum(dot(residual, residual), shared);
                for (int i = plane; i < (planes + 1) * plane; i++) {
                    direction[i] = residual[i] + error / before * direction[i];
                }
            }
        }

        /** The matrix times the direction: 26 of a point less its neighbours. */
        private void multiply(boolean shared, boolean overlapped) {
            List<CompletableFuture<?>> exchange =
                    shared ? trial.communicate(this::beginExchange) : List.of();
            if (overlapped) {
                multiply(2, planes - 1);
            }
            exchange.forEach(trial::await);
            if (overlapped) {
                multiply(1, 1);
                multiply(Math.max(planes, 2), planes);
            } else {
                multiply(1, planes);
            }
        }

        private void multiply(int from, int to) {
            for (int z = from; z <= to; z++) {
                for (int at : rows(z)) {
                    for (int x = at + 1; x <= at + size; x++) {
                        double sum = 0;
                        for (int near = x - plane; near <= x + plane; near += plane) {
                            sum += three(near - row) + three(near) + three(near + row);
                        }
                        product[x] = 27 * direction[x] - sum;
                    }
                }
            }
        }

        private double three(int x) {
            return direction[x - 1] + direction[x] + direction[x + 1];
        }

        private List<CompletableFuture<?>> beginExchange() {
            List<CompletableFuture<?>> begun = new ArrayList<>();
            int rank = trial.world.rank();
            if (rank > 0) {
                begun.add(trial.world.irecv(border(0), rank - 1, 0));
                begun.add(trial.world.isend(border(1), rank - 1, 0));
            }
            if (rank < trial.world.size() - 1) {
                begun.add(trial.world.irecv(border(planes + 1), rank + 1, 0));
                begun.add(trial.world.isend(border(planes), rank + 1, 0));
            }
            return begun;
        }

        private Elements border(int z) {
            return Elements.of(direction, z * plane, plane);
        }

        /** Where the rows of a plane begin. */
        private int[] rows(int z) {
            int[] starts = new int[size];
            Arrays.setAll(starts, y -> z * plane + (y + 1) * row);
            return starts;
        }

        private double dot(double[] a, double[] b) {
            double sum = 0;
            for (int i = plane; i < (planes + 1) * plane; i++) {
                sum += a[i] * b[i];
            }
            return sum;
        }

        private double sum(double part, boolean shared) {
            double[] sum = {part};
            if (shared) {
                trial.communicate(() -> trial.world.allreduce(Elements.of(sum), Elements.of(sum), Kind.SUM));
            }
            return sum[0];
        }

        /** Of the solution, of its parts by their place, and of the residual's square. */
        double[] sums() {
            double[] sums = {0, 0, dot(residual, residual)};
            for (int z = 1; z <= planes; z++) {
                for (int i = z * plane; i < (z + 1) * plane; i++) {
                    sums[0] += solution[i];
                    sums[1] += solution[i] * (first + z);
                }
            }
            return sums;
        }
    }
}

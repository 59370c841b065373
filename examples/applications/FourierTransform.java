import java.util.concurrent.CompletableFuture;
import org.madcast.client.Elements;
import org.madcast.client.ReduceOperation.Kind;

/**
 * A 3-D Fourier transform of a cube of complex numbers. Each rank begins with some y and ends with some x: between
 * the transforms along x and those along y, the planes change hands by alltoallv, some planes at a time. Overlapped,
 * it transforms the next planes meanwhile. {@code madcast run -n 4 -- java FourierTransform.java size=64}
 */
public class FourierTransform implements Trial.Application {

    private static final int TILES = 8;

    private final Trial trial;
    private final int size;
    private final int ranks;
    private final int[] starts; // of each rank's x, and of its y
    private final int depth; // planes in a tile
    private final int mine;
    private final Line line;
    private double[] planes; // z, my y, x
    private double[] result; // z, my x, y

    private FourierTransform(Trial trial) {
        this.trial = trial;
        size = trial.number("size", 128, 2, 512);
        ranks = trial.world.size();
        Trial.require(Integer.bitCount(size) == 1, "size must be a power of two, not " + size);
        Trial.require(ranks <= size, ranks + " ranks are too many for a cube of " + size + " planes");
        starts = new int[ranks + 1];
        for (int rank = 0; rank <= ranks; rank++) {
            starts[rank] = Trial.first(size, rank, ranks);
        }
        depth = Math.max(1, size / TILES);
        mine = part(trial.world.rank());
        line = new Line(size);
        planes = new double[2 * size * mine * size];
        result = new double[2 * size * mine * size];
    }

    public static void main(String[] arguments) {
        Trial.run(arguments, FourierTransform::new);
    }

    private int part(int rank) {
        return starts[rank + 1] - starts[rank];
    }

    @Override
    public double[] alone() {
        double[] cube = new double[2 * size * size * size];
        fill(cube, 0, size);
        for (int i = 0; i < size * size; i++) {
            line.transform(cube, i, size * size); // along z
        }
        for (int i = 0; i < size * size; i++) {
            line.transform(cube, i * size, 1); // along x
        }
        double[] sums = new double[5];
        for (int z = 0; z < size; z++) {
            for (int x = 0; x < size; x++) {
                line.transform(cube, z * size * size + x, size); // along y
                for (int y = 0; y < size; y++) {
                    add(sums, cube, (z * size + y) * size + x, x, y, z);
                }
            }
        }
        return sums;
    }

    /** The y from {@code first} on of every plane. */
    private void fill(double[] data, int first, int many) {
        for (int i = 0; i < size * many * size; i++) {
            int x = i % size;
            int y = first + i / size % many;
            int z = i / size / many;
            long mixed = ((long) (z * size + y) * size + x + 1) * 0x9E3779B97F4A7C15L;
            data[2 * i] = (mixed >>> 40) / (double) (1 << 24) - 0.5;
            data[2 * i + 1] = (mixed >>> 20 & 0xFFFFF) / (double) (1 << 20) - 0.5;
        }
    }

    @Override
    public void together(boolean overlapped) {
        fill(planes, starts[trial.world.rank()], mine);
        for (int i = 0; i < mine * size; i++) {
            line.transform(planes, i, mine * size);
        }
        Tile before = null;
        for (int z = 0; z < size; z += depth) {
            Tile tile = new Tile(z);
            tile.pack();
            tile.begin();
            if (!overlapped) {
                tile.finish();
            } else if (before != null) {
                before.finish(); // while this one is under way
            }
            before = tile;
        }
        if (overlapped) {
            before.finish();
        }
    }

    /** Some planes under way from those who have their y to those who get their x. */
    private final class Tile {
        private final int first;
        private final int[] sent = new int[ranks];
        private final int[] received = new int[ranks];
        private final double[] outgoing = new double[2 * depth * mine * size];
        private final double[] incoming = new double[2 * depth * mine * size];
        private CompletableFuture<Void> exchange;

        Tile(int first) {
            this.first = first;
            for (int rank = 0; rank < ranks; rank++) {
                sent[rank] = 2 * depth * mine * part(rank);
                received[rank] = sent[rank];
            }
        }

        void pack() {
            for (int row = first * mine; row < (first + depth) * mine; row++) {
                line.transform(planes, row * size, 1);
            }
            int at = 0;
            for (int rank = 0; rank < ranks; rank++) {
                for (int row = first * mine; row < (first + depth) * mine; row++) {
                    int length = 2 * part(rank);
                    System.arraycopy(planes, 2 * (row * size + starts[rank]), outgoing, at, length);
                    at += length;
                }
            }
        }

        void begin() {
            exchange = trial.communicate(() ->
                    trial.world.ialltoallv(Elements.of(outgoing), sent, Elements.of(incoming), received));
        }

        void finish() {
            trial.await(exchange);
            int at = 0;
            for (int rank = 0; rank < ranks; rank++) {
                for (int z = first; z < first + depth; z++) {
                    for (int y = starts[rank]; y < starts[rank + 1]; y++) {
                        for (int x = 0; x < mine; x++) {
                            int to = 2 * ((z * mine + x) * size + y);
                            result[to] = incoming[at++];
                            result[to + 1] = incoming[at++];
                        }
                    }
                }
            }
            for (int row = first * mine; row < (first + depth) * mine; row++) {
                line.transform(result, row * size, 1);
            }
        }
    }

    @Override
    public double[] digest() {
        double[] sums = new double[5];
        for (int i = 0; i < size * mine * size; i++) {
            add(sums, result, i, starts[trial.world.rank()] + i / size % mine, i % size, i / size / mine);
        }
        trial.world.allreduce(Elements.of(sums), Elements.of(sums), Kind.SUM);
        return sums;
    }

    private static void add(double[] sums, double[] data, int at, int x, int y, int z) {
        double real = data[2 * at];
        double imaginary = data[2 * at + 1];
        double energy = real * real + imaginary * imaginary;
        sums[0] += energy * x;
        sums[1] += energy * y;
        sums[2] += energy * z;
        sums[3] += Math.abs(real) * (x + 2 * y + 3 * z);
        sums[4] += Math.abs(imaginary) * (3 * x + y + 2 * z);
    }

    @Override
    public double tolerance() {
        return 1e-9; // the sums are taken in another order
    }
}

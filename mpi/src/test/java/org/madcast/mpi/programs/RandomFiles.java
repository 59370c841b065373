package org.madcast.mpi.programs;

import static org.madcast.mpi.programs.Checks.equal;
import static org.madcast.mpi.programs.Checks.that;

import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.Random;
import mpi.Datatype;
import mpi.File;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Request;
import mpi.Status;

/**
 * Random views of a file, and random reads and writes of every kind in them, beside a model of the
 * file. Each rank has its own blocks; the ranks know what the others write.
 */
public final class RandomFiles {

    private static final int ROUNDS = 12;
    private static final int ACCESSES = 25;
    private static final int MOST = 4000;

    private static Intracomm world;
    private static int rank;
    private static int size;

    private RandomFiles() {}

    /** Runs the checks; the argument is an empty directory. */
    public static void main(String[] args) {
        String[] rest = MPI.Init(args);
        world = MPI.COMM_WORLD;
        world.setErrhandler(MPI.ERRORS_RETURN);
        rank = world.getRank();
        size = world.getSize();
        for (int round = 0; round < ROUNDS; round++) {
            new RandomFiles.Round(rest[0] + "/random" + round, new Random(round)).run();
        }
        MPI.Finalize();
        Checks.end();
    }

    /** One file. Numbers in it are ints; a view has blocks of so many, one of each rank in turn. */
    private static final class Round {
        private final Random random;
        private final String path;
        private final int block;
        private final int gap;
        private final int skipped;
        private final int etypeInts;
        private final int[] model = new int[MOST * 8];
        private int end;
        private final Datatype filetype;
        private final File file;

        /** Where each rank's pointer is, in etypes. */
        private final int[] pointers = new int[size];

        Round(String path, Random random) {
            this.path = path;
            this.random = random;
            this.etypeInts = 1 + random.nextInt(3);
            this.block = etypeInts * (1 + random.nextInt(4));
            this.gap = random.nextInt(3);
            this.skipped = random.nextInt(5);
            Datatype own = Datatype.createContiguous(block, MPI.INT);
            int tile = size * (block + gap);
            Datatype placed =
                    Datatype.createHIndexed(
                            new int[] {1}, new int[] {4 * rank * (block + gap)}, own);
            filetype = Datatype.createResized(placed, 0, 4 * tile);
            filetype.commit();
            Datatype etype = Datatype.createContiguous(etypeInts, MPI.INT);
            etype.commit();
            file = new File(world, path, MPI.MODE_CREATE | MPI.MODE_RDWR);
            file.setView(4L * skipped, etype, filetype, "native");
        }

        /** The place in the file of a rank's int. */
        private int place(int of, int number) {
            int tile = number / block;
            return skipped + (tile * size + of) * (block + gap) + number % block;
        }

        void run() {
            for (int i = 0; i < ACCESSES; i++) {
                access();
            }
            equal(path + " size", 4L * end, file.getSize());
            file.setView(0, MPI.INT, MPI.INT, "native");
            int[] whole = new int[end];
            Status status = file.readAtAll(0, whole, end, MPI.INT);
            equal(path + " count", end, status.getCount(MPI.INT));
            that(path + " whole", Arrays.equals(Arrays.copyOf(model, end), whole));
            file.close();
            if (rank == 0) {
                File.delete(path);
            }
        }

        /** The same kind of access on all ranks, each with its own place and length. */
        private void access() {
            boolean writes = random.nextInt(3) > 0;
            int kind = random.nextInt(8);
            int count = 0;
            int offset = 0;
            for (int r = 0; r < size; r++) {
                int its = random.nextInt(20);
                int at = kind < 4 ? random.nextInt(30) : pointers[r];
                if (r == rank) {
                    count = its;
                    offset = at;
                }
                if (writes) {
                    write(r, at, its);
                }
            }
            int first = offset;
            int ints = count * etypeInts;
            IntBuffer data = MPI.newIntBuffer(2 * ints + 1);
            boolean spaced = random.nextBoolean();
            int step = spaced ? 2 : 1;
            if (writes) {
                for (int i = 0; i < ints; i++) {
                    data.put(step * i, value(rank, first * etypeInts + i));
                }
            }
            Datatype type = MPI.INT;
            if (spaced) {
                type = Datatype.createResized(MPI.INT, 0, 8);
                type.commit();
            }
            Status status = run(writes, kind, first, data, ints, type);
            world.barrier();
            int got = writes ? ints : available(first, ints);
            equal(path + " count of kind " + kind, got, status.getCount(type));
            for (int i = 0; !writes && i < got; i++) {
                int expected = model[place(rank, first * etypeInts + i)];
                equal(path + " read", expected, data.get(step * i));
            }
            if (kind >= 4 && got == ints) {
                long after = (long) first + count;
                equal(path + " pointer of kind " + kind, after, file.getPosition());
            }
            for (int r = 0; r < size; r++) {
                pointers[r] = random.nextInt(30);
            }
            file.seek(pointers[rank], MPI.SEEK_SET);
        }

        private int value(int of, int number) {
            return 1_000_000 * (of + 1) + number;
        }

        private void write(int of, int at, int count) {
            for (int i = at * etypeInts; i < (at + count) * etypeInts; i++) {
                int place = place(of, i);
                model[place] = value(of, i);
                end = Math.max(end, place + 1);
            }
        }

        /** How many ints of a read are before the end of the file. */
        private int available(int first, int ints) {
            int some = 0;
            while (some < ints && place(rank, first * etypeInts + some) < end) {
                some++;
            }
            return some;
        }

        private Status run(
                boolean writes, int kind, long at, IntBuffer data, int n, Datatype type) {
            return switch (kind) {
                case 0 -> writes ? file.writeAt(at, data, n, type) : file.readAt(at, data, n, type);
                case 1 ->
                        writes
                                ? file.writeAtAll(at, data, n, type)
                                : file.readAtAll(at, data, n, type);
                case 2 -> {
                    Request begun =
                            writes
                                    ? file.iWriteAt(at, data, n, type)
                                    : file.iReadAt(at, data, n, type);
                    yield begun.waitStatus();
                }
                case 3 -> {
                    if (writes) {
                        file.writeAtAllBegin(at, data, n, type);
                        yield file.writeAtAllEnd(data);
                    }
                    file.readAtAllBegin(at, data, n, type);
                    yield file.readAtAllEnd(data);
                }
                case 4 -> writes ? file.write(data, n, type) : file.read(data, n, type);
                case 5 -> writes ? file.writeAll(data, n, type) : file.readAll(data, n, type);
                case 6 -> {
                    Request begun =
                            writes ? file.iWriteAll(data, n, type) : file.iReadAll(data, n, type);
                    yield begun.waitStatus();
                }
                default -> {
                    if (writes) {
                        file.writeAllBegin(data, n, type);
                        yield file.writeAllEnd(data);
                    }
                    file.readAllBegin(data, n, type);
                    yield file.readAllEnd(data);
                }
            };
        }
    }
}

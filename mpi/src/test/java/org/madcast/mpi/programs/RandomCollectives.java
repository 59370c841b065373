package org.madcast.mpi.programs;

import static org.madcast.mpi.programs.Checks.equal;

import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Request;

/**
 * Random collective calls, several under way at once: roots, lengths, gaps and orders of the parts
 * and the types of both sides are drawn, and each call is blocking, not, or in place.
 */
public final class RandomCollectives {

    private static final int ROUNDS = 40;

    private final Intracomm comm;
    private final int rank;
    private final int size;
    private final Random random;
    private final List<Request> begun = new ArrayList<>();
    private final List<Runnable> checks = new ArrayList<>();
    private final Datatype wide = Datatype.createResized(MPI.INT, 0, 12);

    private RandomCollectives(Intracomm comm, long seed) {
        this.comm = comm;
        this.rank = comm.getRank();
        this.size = comm.getSize();
        this.random = new Random(seed);
        wide.commit();
    }

    /** Runs the checks. */
    public static void main(String[] args) {
        String[] _ = MPI.Init(args);
        Intracomm world = MPI.COMM_WORLD;
        world.setErrhandler(MPI.ERRORS_RETURN);
        new RandomCollectives(world, 1).run();
        Intracomm reversed = world.split(0, -world.getRank());
        new RandomCollectives(reversed, 2).run();
        Intracomm half = world.split(world.getRank() % 2, 0);
        new RandomCollectives(half, 3 + world.getRank() % 2).run();
        MPI.Finalize();
        Checks.end();
    }

    private void run() {
        for (int round = 0; round < ROUNDS; round++) {
            int calls = 1 + random.nextInt(4);
            for (int i = 0; i < calls; i++) {
                switch (random.nextInt(6)) {
                    case 0 -> bcast();
                    case 1 -> gather();
                    case 2 -> scatter();
                    case 3 -> allgather();
                    case 4 -> alltoall();
                    default -> reduce();
                }
            }
            Request.waitAll(begun.toArray(Request[]::new));
            checks.forEach(Runnable::run);
            begun.clear();
            checks.clear();
        }
    }

    /** The parts of a buffer: how many ints each has, and where, in elements of a type. */
    @SuppressWarnings("ArrayRecordComponent") // nothing changes them
    private record Layout(int[] counts, int[] places, int length, Datatype type, int step) {

        int[] at(int part, int number) {
            return new int[] {step * (places[part] + number)};
        }

        IntBuffer empty() {
            IntBuffer made = MPI.newIntBuffer(step * length + 1);
            for (int i = 0; i < made.capacity(); i++) {
                made.put(i, -1);
            }
            return made;
        }
    }

    /** In a drawn order with drawn gaps. */
    private Layout layout(int[] counts) {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < counts.length; i++) {
            order.add(i);
        }
        Collections.shuffle(order, random);
        int[] places = new int[counts.length];
        int at = random.nextInt(3);
        for (int part : order) {
            places[part] = at;
            at += counts[part] + random.nextInt(2);
        }
        boolean gaps = random.nextBoolean();
        return new Layout(counts, places, at, gaps ? wide : MPI.INT, gaps ? 3 : 1);
    }

    private int length() {
        return switch (random.nextInt(6)) {
            case 0 -> 0;
            case 1 -> 1;
            case 2 -> 5_000 + random.nextInt(5_000);
            default -> random.nextInt(60);
        };
    }

    private int[] lengths() {
        int[] all = new int[size];
        Arrays.setAll(all, _ -> length());
        return all;
    }

    private static int value(int from, int to, int number) {
        return 10_000_000 * (from + 1) + 1_000_000 * (to + 1) + number;
    }

    private static void fill(IntBuffer buffer, Layout layout, int part, int from, int to) {
        for (int i = 0; i < layout.counts[part]; i++) {
            buffer.put(layout.at(part, i)[0], value(from, to, i));
        }
    }

    private void check(String what, IntBuffer found, Layout layout, int[] from, int[] to) {
        IntBuffer expected = layout.empty();
        for (int part = 0; part < layout.counts.length; part++) {
            fill(expected, layout, part, from[part], to[part]);
        }
        boolean same = expected.clear().equals(found.duplicate().clear());
        equal(what + " on " + size, true, same);
    }

    private int[] each() {
        int[] all = new int[size];
        Arrays.setAll(all, r -> r);
        return all;
    }

    private int[] all(int value) {
        int[] all = new int[size];
        Arrays.fill(all, value);
        return all;
    }

    private void bcast() {
        int root = random.nextInt(size);
        Layout layout = layout(new int[] {length()});
        IntBuffer data = layout.empty();
        if (rank == root) {
            fill(data, layout, 0, root, 0);
        }
        IntBuffer first = MPI.slice(data, layout.at(0, 0)[0]);
        if (random.nextBoolean()) {
            comm.bcast(first, layout.counts[0], layout.type, root);
        } else {
            begun.add(comm.iBcast(first, layout.counts[0], layout.type, root));
        }
        checks.add(() -> check("bcast", data, layout, new int[] {root}, new int[1]));
    }

    private void gather() {
        int root = random.nextInt(size);
        int[] counts = lengths();
        Layout in = layout(counts);
        Layout out = layout(new int[] {counts[rank]});
        int how = random.nextInt(3);
        IntBuffer got = in.empty();
        IntBuffer data = out.empty();
        fill(data, out, 0, rank, 0);
        IntBuffer mine = MPI.slice(data, out.at(0, 0)[0]);
        if (how == 2 && rank == root) {
            fill(got, in, rank, rank, 0);
            begun.add(comm.iGatherv(got, in.counts, in.places, in.type, root));
        } else if (how == 2) {
            begun.add(comm.iGatherv(mine, counts[rank], out.type, root));
        } else if (how == 1) {
            comm.gatherv(mine, counts[rank], out.type, got, in.counts, in.places, in.type, root);
        } else {
            begun.add(
                    comm.iGatherv(
                            mine,
                            counts[rank],
                            out.type,
                            got,
                            in.counts,
                            in.places,
                            in.type,
                            root));
        }
        if (rank == root) {
            checks.add(() -> check("gatherv", got, in, each(), all(0)));
        }
    }

    private void scatter() {
        int root = random.nextInt(size);
        int[] counts = lengths();
        Layout out = layout(counts);
        Layout in = layout(new int[] {counts[rank]});
        boolean now = random.nextBoolean();
        IntBuffer data = out.empty();
        for (int r = 0; r < size && rank == root; r++) {
            fill(data, out, r, root, r);
        }
        IntBuffer got = in.empty();
        IntBuffer mine = MPI.slice(got, in.at(0, 0)[0]);
        if (now) {
            comm.scatterv(
                    data, out.counts, out.places, out.type, mine, counts[rank], in.type, root);
        } else {
            begun.add(
                    comm.iScatterv(
                            data,
                            out.counts,
                            out.places,
                            out.type,
                            mine,
                            counts[rank],
                            in.type,
                            root));
        }
        checks.add(() -> check("scatterv", got, in, new int[] {root}, new int[] {rank}));
    }

    private void allgather() {
        int[] counts = lengths();
        Layout in = layout(counts);
        Layout out = layout(new int[] {counts[rank]});
        int how = random.nextInt(4);
        IntBuffer got = in.empty();
        IntBuffer data = out.empty();
        fill(data, out, 0, rank, 0);
        IntBuffer mine = MPI.slice(data, out.at(0, 0)[0]);
        if (how >= 2) {
            fill(got, in, rank, rank, 0);
        }
        switch (how) {
            case 0 ->
                    comm.allGatherv(
                            mine, counts[rank], out.type, got, in.counts, in.places, in.type);
            case 1 ->
                    begun.add(
                            comm.iAllGatherv(
                                    mine,
                                    counts[rank],
                                    out.type,
                                    got,
                                    in.counts,
                                    in.places,
                                    in.type));
            case 2 -> comm.allGatherv(got, in.counts, in.places, in.type);
            default -> begun.add(comm.iAllGatherv(got, in.counts, in.places, in.type));
        }
        checks.add(() -> check("allGatherv", got, in, each(), all(0)));
    }

    private void alltoall() {
        int[][] counts = new int[size][];
        Arrays.setAll(counts, _ -> lengths());
        int[] from = new int[size];
        Arrays.setAll(from, r -> counts[r][rank]);
        Layout out = layout(counts[rank]);
        Layout in = layout(from);
        IntBuffer data = out.empty();
        for (int r = 0; r < size; r++) {
            fill(data, out, r, rank, r);
        }
        IntBuffer got = in.empty();
        if (random.nextBoolean()) {
            comm.allToAllv(
                    data, out.counts, out.places, out.type, got, in.counts, in.places, in.type);
        } else {
            begun.add(
                    comm.iAllToAllv(
                            data,
                            out.counts,
                            out.places,
                            out.type,
                            got,
                            in.counts,
                            in.places,
                            in.type));
        }
        checks.add(() -> check("allToAllv", got, in, each(), all(rank)));
    }

    private void reduce() {
        int n = length();
        int root = random.nextInt(size);
        boolean now = random.nextBoolean();
        IntBuffer data = MPI.newIntBuffer(n);
        for (int i = 0; i < n; i++) {
            data.put(i, (rank + 1) * i);
        }
        IntBuffer sum = MPI.newIntBuffer(n);
        if (now) {
            comm.reduce(data, sum, n, MPI.INT, MPI.SUM, root);
        } else {
            begun.add(comm.iReduce(data, sum, n, MPI.INT, MPI.SUM, root));
        }
        int times = rank == root ? size * (size + 1) / 2 : 0;
        checks.add(() -> {
            for (int i = 0; i < n; i++) {
                equal("reduce", times * i, sum.get(i));
            }
        });
    }
}

package org.madcast.mpi.programs;

import static org.madcast.mpi.programs.Checks.equal;

import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.Random;
import mpi.Datatype;
import mpi.Group;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Op;
import mpi.Request;
import mpi.Win;

/**
 * Random accesses to windows under every kind of synchronisation, beside a model of all memories:
 * each rank puts into a zone of its own of every target, accumulates into a common one, and reads a
 * third, which nobody changes.
 */
public final class RandomWindows {

    private static final int EPOCHS = 30;
    private static final int ACCESSES = 12;
    private static final int ZONE = 40;

    private static Intracomm world;
    private static int rank;
    private static int size;
    private static long[][] model;
    private static LongBuffer memory;
    private static Win win;

    private RandomWindows() {}

    /** Runs the checks. */
    public static void main(String[] args) {
        String[] _ = MPI.Init(args);
        world = MPI.COMM_WORLD;
        world.setErrhandler(MPI.ERRORS_RETURN);
        rank = world.getRank();
        size = world.getSize();
        int length = ZONE * (size + 2);
        model = new long[size][length];
        memory = MPI.newLongBuffer(length);
        for (int r = 0; r < size; r++) {
            for (int i = 0; i < length; i++) {
                model[r][i] = 1000L * r + i;
            }
        }
        memory.put(0, model[rank]);
        win = new Win(memory, length, 1, MPI.INFO_NULL, world);
        win.setErrhandler(MPI.ERRORS_RETURN);
        for (int epoch = 0; epoch < EPOCHS; epoch++) {
            Random shared = new Random(epoch);
            int kind = epoch % 5;
            open(kind);
            for (int r = 0; r < size; r++) {
                Random random = new Random(shared.nextLong());
                for (int i = 0; i < ACCESSES; i++) {
                    access(r, random, kind);
                }
            }
            close(kind);
            long[] found = new long[length];
            memory.get(0, found);
            equal("epoch " + epoch, model[rank], found);
            world.barrier();
        }
        win.free();
        MPI.Finalize();
        Checks.end();
    }

    private static void open(int kind) {
        switch (kind) {
            case 0 -> win.fence(0);
            case 1 -> {
                Group all = world.getGroup();
                win.post(all, 0);
                win.start(all, 0);
            }
            case 2 -> win.lockAll(0);
            case 3 -> {
                for (int r = 0; r < size; r++) {
                    win.lock(MPI.LOCK_SHARED, r, 0);
                }
            }
            default -> {} // each access has its lock
        }
    }

    private static void close(int kind) {
        switch (kind) {
            case 0 -> win.fence(MPI.MODE_NOSUCCEED);
            case 1 -> {
                win.complete();
                win.waitFor();
            }
            case 2 -> win.unlockAll();
            case 3 -> {
                for (int r = size - 1; r >= 0; r--) {
                    win.unlock(r);
                }
            }
            default -> {} // nothing is open
        }
        world.barrier();
    }

    /** An access of a rank, which the others note in their model. */
    private static void access(int origin, Random random, int kind) {
        int target = random.nextInt(size);
        int blocks = 1 + random.nextInt(3);
        int length = 1 + random.nextInt(2);
        int stride = length + random.nextInt(3);
        int at = random.nextInt(ZONE - 2 * (length + 3) - length + 1);
        int what = random.nextInt(4);
        long value = random.nextInt(100);
        boolean asRequest = random.nextBoolean() && (kind == 2 || kind == 3);
        int lockType = random.nextBoolean() ? MPI.LOCK_EXCLUSIVE : MPI.LOCK_SHARED;
        int[] places = new int[blocks * length];
        Arrays.setAll(places, i -> i / length * stride + i % length);
        int zone = what == 0 ? origin : what == 3 ? size + 1 : size;
        Op op = MPI.SUM;
        for (int i = 0; i < places.length; i++) {
            int place = ZONE * zone + at + places[i];
            model[target][place] =
                    switch (what) {
                        case 0 -> value + i;
                        case 1, 2 -> model[target][place] + value + i;
                        default -> model[target][place];
                    };
        }
        if (origin != rank) {
            return;
        }
        Datatype type = Datatype.createVector(blocks, length, stride, MPI.LONG);
        type.commit();
        LongBuffer data = MPI.newLongBuffer(places.length);
        for (int i = 0; i < places.length; i++) {
            data.put(i, value + i);
        }
        int n = places.length;
        int disp = ZONE * zone + at;
        boolean own = kind == 4;
        if (own) {
            win.lock(lockType, target, 0);
        }
        LongBuffer got = MPI.newLongBuffer(n);
        switch (what) {
            case 0 -> {
                if (asRequest) {
                    win.rPut(data, n, MPI.LONG, target, disp, 1, type).waitFor();
                } else {
                    win.put(data, n, MPI.LONG, target, disp, 1, type);
                }
            }
            case 1 -> {
                if (asRequest) {
                    Request _ = win.rAccumulate(data, n, MPI.LONG, target, disp, 1, type, op);
                } else {
                    win.accumulate(data, n, MPI.LONG, target, disp, 1, type, op);
                }
            }
            case 2 ->
                    win.getAccumulate(
                            data, n, MPI.LONG, got, n, MPI.LONG, target, disp, 1, type, op);
            default -> {
                if (asRequest) {
                    win.rGet(got, n, MPI.LONG, target, disp, 1, type).waitFor();
                    read(got, target, disp, places);
                } else {
                    win.get(got, n, MPI.LONG, target, disp, 1, type);
                }
            }
        }
        type.free();
        if (own) {
            win.unlock(target);
            if (what == 3) {
                read(got, target, disp, places);
            }
        }
    }

    private static void read(LongBuffer got, int target, int disp, int[] places) {
        for (int i = 0; i < places.length; i++) {
            equal("get", model[target][disp + places[i]], got.get(i));
        }
    }
}

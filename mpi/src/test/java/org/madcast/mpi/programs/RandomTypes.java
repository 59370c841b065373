package org.madcast.mpi.programs;

import static org.madcast.mpi.programs.Checks.equal;
import static org.madcast.mpi.programs.Checks.that;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Status;

/**
 * Random types of types, checked against the definition in the standard: a type is a list of basic
 * elements with displacements, and two bounds. Sent, packed, broadcast, gathered and scattered.
 */
public final class RandomTypes {

    private static final int ROUNDS = 60;
    private static final int ROOM = 6000;

    private static Intracomm world;
    private static int rank;
    private static int size;

    private RandomTypes() {}

    /** What the standard says a type is; displacements in ints. */
    private record Model(List<Integer> places, int lb, int ub, boolean marked) {

        int extent() {
            return ub - lb;
        }

        /** Copies of this type, each at a displacement, which follow each other. */
        static Model of(List<Model> parts, List<Integer> displacements) {
            List<Integer> places = new ArrayList<>();
            int low = Integer.MAX_VALUE;
            int high = Integer.MIN_VALUE;
            boolean marked = parts.stream().anyMatch(Model::marked);
            for (int i = 0; i < parts.size(); i++) {
                Model part = parts.get(i);
                int at = displacements.get(i);
                part.places.forEach(place -> places.add(place + at));
                if (part.marked || (!marked && !part.places.isEmpty())) {
                    low = Math.min(low, part.lb + at);
                    high = Math.max(high, part.ub + at);
                }
            }
            return places.isEmpty() && !marked
                    ? new Model(List.of(), 0, 0, false)
                    : new Model(places, low, high, marked);
        }
    }

    private record Both(Datatype type, Model model) {}

    /** Runs the checks. */
    public static void main(String[] args) {
        String[] _ = MPI.Init(args);
        world = MPI.COMM_WORLD;
        world.setErrhandler(MPI.ERRORS_RETURN);
        rank = world.getRank();
        size = world.getSize();
        long seed = args.length > 0 ? Long.parseLong(args[0]) : 1;
        for (int round = 0; round < ROUNDS; round++) {
            Random random = new Random(seed * 1000 + round);
            Both both = new Both(MPI.INT, new Model(List.of(0), 0, 1, false));
            int depth = 1 + random.nextInt(3);
            for (int i = 0; i < depth; i++) {
                both = derived(both, random);
            }
            both.type.commit();
            String what = "seed " + seed + " round " + round;
            bounds(what, both);
            if (!both.model.places.isEmpty()) {
                moved(what, both, 1 + random.nextInt(3));
            }
        }
        MPI.Finalize();
        Checks.end();
    }

    private static Both derived(Both old, Random random) {
        return switch (random.nextInt(7)) {
            case 0 -> contiguous(old, random.nextInt(4));
            case 1 -> strided(old, random, true);
            case 2 -> strided(old, random, false);
            case 3 -> indexed(old, random, true);
            case 4 -> indexed(old, random, false);
            case 5 -> structure(old, random);
            default -> resized(old, random);
        };
    }

    private static Both contiguous(Both old, int count) {
        List<Integer> at = new ArrayList<>();
        block(at, count, 0, old);
        return new Both(Datatype.createContiguous(count, old.type), model(old, at));
    }

    private static void block(List<Integer> at, int length, int displacement, Both old) {
        for (int i = 0; i < length; i++) {
            at.add(displacement + i * old.model.extent());
        }
    }

    private static Model model(Both old, List<Integer> displacements) {
        return Model.of(displacements.stream().map(_ -> old.model).toList(), displacements);
    }

    private static Both strided(Both old, Random random, boolean elements) {
        int count = random.nextInt(4);
        int length = random.nextInt(3);
        int stride = random.nextInt(7) - 2;
        int unit = elements ? old.model.extent() : 1;
        List<Integer> at = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            block(at, length, i * stride * unit, old);
        }
        Datatype type =
                elements
                        ? Datatype.createVector(count, length, stride, old.type)
                        : Datatype.createHVector(count, length, 4 * stride, old.type);
        return new Both(type, model(old, at));
    }

    private static Both indexed(Both old, Random random, boolean elements) {
        int[] lengths = random.ints(random.nextInt(4), 0, 3).toArray();
        int[] places = random.ints(lengths.length, -2, 6).toArray();
        int unit = elements ? old.model.extent() : 1;
        List<Integer> at = new ArrayList<>();
        for (int i = 0; i < lengths.length; i++) {
            block(at, lengths[i], places[i] * unit, old);
        }
        int[] bytes = Arrays.stream(places).map(it -> 4 * it).toArray();
        Datatype type =
                elements
                        ? Datatype.createIndexed(lengths, places, old.type)
                        : Datatype.createHIndexed(lengths, bytes, old.type);
        return new Both(type, model(old, at));
    }

    private static Both structure(Both old, Random random) {
        int length = random.nextInt(3);
        int place = random.nextInt(9) - 4;
        List<Model> parts = new ArrayList<>();
        List<Integer> at = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            parts.add(old.model);
            at.add(place + i * old.model.extent());
        }
        parts.add(new Model(List.of(0), 0, 1, false));
        at.add(20);
        Datatype type =
                Datatype.createStruct(
                        new int[] {length, 1},
                        new int[] {4 * place, 80},
                        new Datatype[] {old.type, MPI.INT});
        return new Both(type, Model.of(parts, at));
    }

    private static Both resized(Both old, Random random) {
        int lb = random.nextInt(5) - 2;
        int extent = random.nextInt(12);
        return new Both(
                Datatype.createResized(old.type, 4 * lb, 4 * extent),
                new Model(old.model.places, lb, lb + extent, true));
    }

    private static void bounds(String what, Both both) {
        Model model = both.model;
        equal(what + " size", 4 * model.places.size(), both.type.getSize());
        equal(what + " Size", model.places.size(), both.type.Size());
        equal(what + " lb", 4 * model.lb, both.type.getLb());
        equal(what + " extent", 4 * model.extent(), both.type.getExtent());
        equal(what + " Extent", model.extent(), both.type.Extent());
        int first = model.places.stream().mapToInt(it -> it).min().orElse(0);
        int end = model.places.stream().mapToInt(it -> it + 1).max().orElse(0);
        equal(what + " true lb", 4 * first, both.type.getTrueLb());
        equal(what + " true extent", 4 * (end - first), both.type.getTrueExtent());
    }

    /** The places of some elements in an array, the first of which is in its middle. */
    private static int[] places(Model model, int count) {
        List<Integer> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int at = ROOM / 2 + i * model.extent();
            model.places.forEach(place -> all.add(at + place));
        }
        return all.stream().mapToInt(it -> it).toArray();
    }

    private static boolean overlaps(int[] places) {
        return Arrays.stream(places).distinct().count() < places.length;
    }

    private static int[] of(int from) {
        int[] data = new int[ROOM];
        Arrays.setAll(data, i -> 10_000 * (from + 1) + i);
        return data;
    }

    private static void moved(String what, Both both, int count) {
        Datatype type = both.type;
        int[] places = places(both.model, count);
        int next = (rank + 1) % size;
        int before = (rank + size - 1) % size;
        int[] sent = Arrays.stream(places).map(at -> of(before)[at]).toArray();
        int[] flat = new int[places.length];
        Status status =
                world.Sendrecv(
                        of(rank),
                        ROOM / 2,
                        count,
                        type,
                        next,
                        1,
                        flat,
                        0,
                        flat.length,
                        MPI.INT,
                        before,
                        1);
        that(what + " packed by a send", Arrays.equals(sent, flat));
        equal(what + " count", places.length, status.getCount(MPI.INT));
        byte[] packed = new byte[world.packSize(count, type)];
        int end = world.Pack(of(before), ROOM / 2, count, type, packed, 0);
        equal(what + " packed bytes", 4 * places.length, end);
        ByteBuffer bytes = ByteBuffer.wrap(packed).order(java.nio.ByteOrder.nativeOrder());
        bytes.asIntBuffer().get(0, flat);
        that(what + " packed", Arrays.equals(sent, flat));
        if (overlaps(places)) {
            return;
        }
        int[] expected = new int[ROOM];
        for (int i = 0; i < places.length; i++) {
            expected[places[i]] = sent[i];
        }
        int[] got = new int[ROOM];
        status =
                world.Sendrecv(
                        of(rank), ROOM / 2, count, type, next, 2, got, ROOM / 2, count, type,
                        before, 2);
        that(what + " received", Arrays.equals(expected, got));
        equal(what + " count", count, status.getCount(type));
        equal(what + " elements", places.length, status.getElements(type));
        Arrays.fill(got, 0);
        int _ = world.Unpack(packed, 0, got, ROOM / 2, count, type);
        that(what + " unpacked", Arrays.equals(expected, got));
        collective(what, type, count, places);
    }

    private static void collective(String what, Datatype type, int count, int[] places) {
        int root = size - 1;
        int[] data = rank == root ? of(root) : new int[ROOM];
        int[] expected = new int[ROOM];
        for (int at : places) {
            expected[at] = of(root)[at];
        }
        world.Bcast(data, ROOM / 2, count, type, root);
        that(what + " bcast", rank == root || Arrays.equals(expected, data));
        int[] all = new int[size * places.length];
        world.Gather(of(rank), ROOM / 2, count, type, all, 0, places.length, MPI.INT, root);
        if (rank == root) {
            for (int r = 0; r < size; r++) {
                for (int i = 0; i < places.length; i++) {
                    equal(what + " gather", of(r)[places[i]], all[r * places.length + i]);
                }
            }
        }
        int[] got = new int[ROOM];
        world.Scatter(all, 0, places.length, MPI.INT, got, ROOM / 2, count, type, root);
        for (int at : places) {
            equal(what + " scatter", of(rank)[at], got[at]);
        }
        int[] everywhere = new int[size * places.length];
        world.Allgather(of(rank), ROOM / 2, count, type, everywhere, 0, places.length, MPI.INT);
        equal(what + " allgather", of(0)[places[0]], everywhere[0]);
        equal(what + " allgather", of(root)[places[0]], everywhere[root * places.length]);
    }
}

package org.madcast.mpi.programs;

import static org.madcast.mpi.programs.Checks.equal;
import static org.madcast.mpi.programs.Checks.that;

import java.util.Arrays;
import java.util.function.IntFunction;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.Status;

/**
 * As many receives and sends at once as the argument says, in every order in which they can meet.
 */
public final class Outstanding {

    private static Intracomm world;
    private static int many;
    private static int rank;
    private static int next;
    private static int before;
    private static int[] mine;
    private static int[] got;

    private Outstanding() {}

    /** Runs the checks. */
    public static void main(String[] args) throws MPIException {
        many = Integer.parseInt(MPI.Init(args)[0]);
        world = MPI.COMM_WORLD;
        rank = world.getRank();
        int size = world.getSize();
        next = (rank + 1) % size;
        before = (rank + size - 1) % size;
        mine = new int[many];
        got = new int[many];
        Arrays.setAll(mine, i -> rank * 31 + i);
        backwards();
        unexpected(before);
        unexpected(MPI.ANY_SOURCE);
        wildcards();
        oneEnvelope();
        cancelled();
        oneByOne();
        some();
        MPI.Finalize();
        Checks.end();
    }

    private static Request[] each(IntFunction<Request> begin) {
        Request[] requests = new Request[many];
        Arrays.setAll(requests, begin);
        return requests;
    }

    /** The last one is begun first. */
    private static Request[] backwards(IntFunction<Request> begin) {
        Request[] requests = new Request[many];
        for (int i = many - 1; i >= 0; i--) {
            requests[i] = begin.apply(i);
        }
        return requests;
    }

    private static Request send(int i, int tag) {
        return world.Isend(mine, i, 1, MPI.INT, next, tag);
    }

    private static Request receive(int i, int source, int tag) {
        return world.Irecv(got, i, 1, MPI.INT, source, tag);
    }

    private static void end(Request[] receives, Request[] sends) {
        boolean right = true;
        for (Status each : Request.waitAllStatus(receives)) {
            right &= each.getSource() == before;
        }
        that("all sources are right", right);
        end(sends);
    }

    private static void end(Request[] sends) {
        Request.waitAll(sends);
        boolean right = true;
        for (int i = 0; i < many; i++) {
            right &= got[i] == before * 31 + i;
        }
        that("all values are right", right);
        Arrays.fill(got, -1);
        world.barrier();
    }

    private static void backwards() {
        Request[] receives = each(i -> receive(i, before, i));
        end(receives, backwards(i -> send(i, i)));
    }

    private static void unexpected(int source) {
        Request[] sends = each(i -> send(i, i));
        world.barrier();
        end(backwards(i -> receive(i, source, i)), sends);
    }

    private static void wildcards() {
        Request[] receives = each(i -> receive(i, MPI.ANY_SOURCE, i % 2 == 0 ? MPI.ANY_TAG : i));
        end(receives, each(i -> send(i, i)));
    }

    private static void oneEnvelope() {
        Request[] sends = each(i -> send(i, 7));
        world.barrier();
        end(each(i -> receive(i, before, 7)), sends);
    }

    private static void cancelled() {
        for (int step : new int[] {1, many - 1}) {
            Request[] receives = each(i -> receive(i, before, 7));
            for (int i = 0; i < many; i++) {
                receives[(int) ((long) i * step % many)].cancel();
            }
            long cancelled =
                    Arrays.stream(Request.waitAllStatus(receives))
                            .filter(Status::isCancelled)
                            .count();
            equal("cancelled", (long) many, cancelled);
        }
        world.barrier();
    }

    private static void oneByOne() {
        Request[] receives = each(i -> receive(i, before, i));
        Request[] sends = backwards(i -> send(i, i));
        boolean[] seen = new boolean[many];
        int ended = 0;
        for (int i = Request.waitAny(receives); i != MPI.UNDEFINED; i = Request.waitAny(receives)) {
            ended += seen[i] ? 0 : 1;
            seen[i] = true;
        }
        equal("each once", many, ended);
        end(sends);
    }

    private static void some() {
        Request[] receives = each(i -> receive(i, before, i));
        Request[] sends = backwards(i -> send(i, i));
        int ended = 0;
        for (int[] some = Request.waitSome(receives);
                some != null;
                some = Request.waitSome(receives)) {
            ended += some.length;
        }
        equal("received", many, ended);
        for (int[] some = Request.testSome(sends); some != null; some = Request.testSome(sends)) {
            ended += some.length;
        }
        equal("sent", 2 * many, ended);
        end(sends);
    }
}

package org.madcast.mpi.programs;

import static org.madcast.mpi.programs.Checks.equal;
import static org.madcast.mpi.programs.Checks.that;

import java.util.ArrayList;
import java.util.List;
import mpi.Comm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.Status;

/** All forms of waiting and testing, and several threads at once. */
public final class RequestForms {

    private static int rank;
    private static int next;
    private static int before;

    private RequestForms() {}

    /** Runs the checks. */
    public static void main(String[] args) throws Exception {
        MPI.InitThread(args, MPI.THREAD_MULTIPLE);
        rank = MPI.COMM_WORLD.getRank();
        int size = MPI.COMM_WORLD.getSize();
        next = (rank + 1) % size;
        before = (rank + size - 1) % size;
        none();
        any(MPI.COMM_WORLD);
        some(MPI.COMM_WORLD);
        all(MPI.COMM_WORLD);
        statusStays(MPI.COMM_WORLD);
        freed(MPI.COMM_WORLD);
        threads(MPI.COMM_WORLD);
        MPI.Finalize();
        Checks.end();
    }

    private static void none() throws MPIException {
        for (Request[] requests :
                new Request[][] {{}, {MPI.REQUEST_NULL}, {MPI.REQUEST_NULL, null}}) {
            equal("any", MPI.UNDEFINED, Request.waitAnyStatus(requests).getIndex());
            equal("any", MPI.UNDEFINED, Request.Waitany(requests).index);
            equal("any", MPI.UNDEFINED, Request.waitAny(requests));
            equal("any", MPI.UNDEFINED, Request.testAny(requests));
            equal("any", MPI.UNDEFINED, Request.Testany(requests).index);
            equal("some", null, Request.waitSome(requests));
            equal("some", null, Request.testSome(requests));
            equal("some", null, Request.Waitsome(requests));
            equal("some", null, Request.Testsome(requests));
            Request.waitAll(requests);
            that("all", Request.testAll(requests));
            equal("all", requests.length, Request.waitAllStatus(requests).length);
            equal("all", requests.length, Request.Testall(requests).length);
        }
        Status empty = MPI.REQUEST_NULL.waitStatus();
        equal("source", MPI.ANY_SOURCE, empty.source);
        equal("tag", MPI.ANY_TAG, empty.tag);
        equal("count", 0, empty.getCount(MPI.INT));
        equal("error", MPI.SUCCESS, empty.getError());
        that("not cancelled", !empty.isCancelled());
        that("test", MPI.REQUEST_NULL.test() && MPI.REQUEST_NULL.Test() != null);
        that("status", MPI.REQUEST_NULL.getStatus() != null && MPI.REQUEST_NULL.isNull());
    }

    private static Request[] receives(Comm world, int[][] into, int tag) throws MPIException {
        Request[] requests = new Request[into.length + 2];
        requests[0] = MPI.REQUEST_NULL;
        for (int i = 0; i < into.length; i++) {
            requests[i + 1] = world.Irecv(into[i], 0, 1, MPI.INT, before, tag + i);
        }
        requests[into.length + 1] = null;
        return requests;
    }

    /** No rank returns before every rank has called it. */
    private static void barrier(Comm world) throws MPIException {
        int size = world.getSize();
        for (int i = 1; i < size; i++) {
            Request send = world.Isend(new int[1], 0, 1, MPI.INT, (rank + i) % size, 1000);
            Status _ = world.Recv(new int[1], 0, 1, MPI.INT, (rank + size - i) % size, 1000);
            send.waitFor();
        }
    }

    private static void any(Comm world) throws MPIException {
        int[][] got = new int[4][1];
        Request[] requests = receives(world, got, 0);
        equal("none has ended", MPI.UNDEFINED, Request.testAny(requests));
        equal("none has ended", null, Request.Testany(requests));
        barrier(world);
        for (int each : new int[] {2, 0, 3, 1}) {
            world.sSend(new int[] {each}, 1, MPI.INT, next, each);
            Status status = Request.waitAnyStatus(requests);
            equal("index", each + 1, status.index);
            equal("tag", each, status.tag);
            equal("value", each, got[each][0]);
            that("null", requests[each + 1].isNull());
            barrier(world);
        }
        equal("none is active", MPI.UNDEFINED, Request.waitAny(requests));
    }

    private static void some(Comm world) throws MPIException {
        int[][] got = new int[6][1];
        Request[] requests = receives(world, got, 10);
        equal("none has ended", 0, Request.testSome(requests).length);
        barrier(world);
        for (int each : new int[] {5, 0}) {
            world.sSend(new int[] {each}, 1, MPI.INT, next, 10 + each);
        }
        List<Integer> ended = new ArrayList<>();
        while (ended.size() < 2) {
            for (int index : Request.waitSome(requests)) {
                ended.add(index);
            }
        }
        ended.sort(null);
        equal("ended", List.of(1, 6), ended);
        barrier(world);
        for (int each : new int[] {1, 2, 3, 4}) {
            world.sSend(new int[] {each}, 1, MPI.INT, next, 10 + each);
        }
        int left = 4;
        while (left > 0) {
            for (Status status : Request.Testsome(requests)) {
                equal("tag", 10 + status.index - 1, status.tag);
                left--;
            }
        }
        equal("all", null, Request.Waitsome(requests));
    }

    private static void all(Comm world) throws MPIException {
        int[][] got = new int[3][1];
        Request[] requests = receives(world, got, 20);
        world.Send(new int[] {20}, 0, 1, MPI.INT, next, 20);
        world.Send(new int[] {21}, 0, 1, MPI.INT, next, 21);
        that("not all", !Request.testAll(requests) && Request.Testall(requests) == null);
        that("nothing is done", !requests[1].isNull());
        barrier(world);
        world.Send(new int[] {22}, 0, 1, MPI.INT, next, 22);
        Status[] statuses = Request.Waitall(requests);
        equal("length", 5, statuses.length);
        equal("null", MPI.ANY_TAG, statuses[0].tag);
        equal("tag", 22, statuses[3].tag);
        equal("index", 3, statuses[3].index);
        equal("values", new int[][] {{20}, {21}, {22}}, got);
        requests = receives(world, got, 30);
        for (int i = 0; i < 3; i++) {
            world.Send(new int[] {i}, 0, 1, MPI.INT, next, 30 + i);
        }
        while (!Request.testAll(requests)) {
            Thread.onSpinWait();
        }
        equal("values", new int[][] {{0}, {1}, {2}}, got);
    }

    private static void statusStays(Comm world) throws MPIException {
        int[] got = new int[2];
        Request request = world.Irecv(got, 0, 2, MPI.INT, before, 40);
        world.send(new int[] {7}, 1, MPI.INT, next, 40);
        Status status = request.getStatus();
        while (status == null) {
            status = request.getStatus();
        }
        equal("count", 1, status.getCount(MPI.INT));
        that("active", !request.isNull() && request.getStatus() != null);
        equal("count", 1, request.testStatus().getCount(MPI.INT));
        that("null", request.isNull());
    }

    private static void freed(Comm world) throws MPIException {
        int[] got = new int[1];
        Request receive = world.Irecv(got, 0, 1, MPI.INT, before, 50);
        Request send = world.Isend(new int[] {rank}, 0, 1, MPI.INT, next, 50);
        receive.free();
        send.free();
        that("null", receive.isNull() && send.isNull());
        receive.free();
        that("null again", receive.isNull());
        world.send(new int[1], 1, MPI.INT, next, 51);
        Status _ = world.recv(new int[1], 1, MPI.INT, before, 51);
        equal("received", before, got[0]);
    }

    private static void threads(Comm world) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            int tag = t;
            threads.add(
                    Thread.ofPlatform()
                            .start(() -> {
                                for (int i = 0; i < 200; i++) {
                                    int[] got = new int[1 + i * 50];
                                    int[] mine = new int[1 + i * 50];
                                    mine[mine.length - 1] = tag * 1000 + i;
                                    Status status =
                                            world.sendRecv(
                                                    mine,
                                                    mine.length,
                                                    MPI.INT,
                                                    next,
                                                    tag,
                                                    got,
                                                    got.length,
                                                    MPI.INT,
                                                    before,
                                                    tag);
                                    if (got[got.length - 1] != tag * 1000 + i
                                            || status.tag != tag) {
                                        equal("thread " + tag, i, got[got.length - 1]);
                                    }
                                }
                            }));
        }
        for (Thread each : threads) {
            each.join();
        }
    }
}

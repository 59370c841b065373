package org.madcast.mpi.programs;

import static org.madcast.mpi.programs.Checks.equal;
import static org.madcast.mpi.programs.Checks.fails;
import static org.madcast.mpi.programs.Checks.that;

import mpi.Comm;
import mpi.Group;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Status;

/** Communicators of two groups: the even ranks and the odd ones. */
public final class Intercommunicators {

    private static int rank;
    private static int size;

    private Intercommunicators() {}

    /** Runs the checks. */
    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        rank = MPI.COMM_WORLD.getRank();
        size = MPI.COMM_WORLD.getSize();
        Intracomm local = MPI.COMM_WORLD.split(rank % 2, rank);
        int leader = local.getSize() - 1;
        int other = (rank + 1) % 2;
        int otherSize = (size + 1 - other) / 2;
        int otherLeader = 2 * (otherSize - 1) + other;
        Intercomm inter = MPI.COMM_WORLD.createIntercomm(local, leader, otherLeader, 5);
        Intercomm again = MPI.COMM_WORLD.Create_intercomm(local, leader, otherLeader, 5);
        equal("size", local.getSize(), inter.getSize());
        equal("rank", local.getRank(), inter.Rank());
        equal("remote size", otherSize, inter.getRemoteSize());
        equal("remote size", otherSize, inter.Remote_size());
        that("inter", inter.isInter() && inter.Test_inter());
        equal("group", MPI.IDENT, Group.compare(local.getGroup(), inter.getGroup()));
        int[] members =
                Group.translateRanks(
                        inter.getRemoteGroup(), new int[] {0}, MPI.COMM_WORLD.getGroup());
        equal("remote group", other, members[0]);
        equal("congruent", MPI.CONGRUENT, Comm.compare(inter, again));
        equal("unequal", MPI.UNEQUAL, Comm.compare(inter, local));
        messages(inter);
        messages(again);
        Intercomm copy = inter.dup();
        inter.free();
        that("freed", inter.isNull());
        messages(copy);
        merged(copy);
        fails("rank", MPI.ERR_RANK, () -> copy.Send(new int[1], 0, 1, MPI.INT, otherSize, 0));
        fails(
                "tag, on every rank",
                MPI.ERR_TAG,
                () -> MPI.COMM_WORLD.Create_intercomm(local, leader, otherLeader, -3));
        fails(
                "remote leader, which the leader alone names: every rank of its group hears of it",
                MPI.ERR_RANK,
                () -> MPI.COMM_WORLD.Create_intercomm(local, leader, 1000, 3));
        Intercomm parent = Intercomm.getParent();
        that("no parent", parent.isNull());
        fails("no parent", MPI.ERR_COMM, parent::Remote_size);
        fails(
                "local intercommunicator",
                MPI.ERR_COMM,
                () -> MPI.COMM_WORLD.Create_intercomm(copy, 0, 0, 0));
        copy.free();
        again.free();
        MPI.Finalize();
        Checks.end();
    }

    private static void messages(Intercomm inter) throws MPIException {
        int remote = inter.getRemoteSize();
        for (int to = 0; to < remote; to++) {
            inter.Isend(new int[] {rank, to}, 0, 2, MPI.INT, to, 1).free();
        }
        for (int from = 0; from < remote; from++) {
            int[] got = new int[2];
            Status status = inter.recv(got, 2, MPI.INT, from, 1);
            equal("source", from, status.getSource());
            equal("from the other group", 2 * from + (rank + 1) % 2, got[0]);
            equal("to this rank", inter.getRank(), got[1]);
        }
        for (int to = 0; to < remote; to++) {
            inter.Isend(new int[] {rank}, 0, 1, MPI.INT, to, 2).free();
        }
        for (int i = 0; i < remote; i++) {
            int[] got = new int[1];
            Status status = inter.Recv(got, 0, 1, MPI.INT, MPI.ANY_SOURCE, 2);
            equal("any source", 2 * status.source + (rank + 1) % 2, got[0]);
        }
    }

    private static void merged(Intercomm inter) throws MPIException {
        Intracomm evenFirst = inter.merge(rank % 2 == 1);
        equal("size", size, evenFirst.getSize());
        int even = (size + 1) / 2;
        equal("even first", rank % 2 == 0 ? rank / 2 : even + rank / 2, evenFirst.getRank());
        Intracomm oddFirst = inter.Merge(rank % 2 == 0);
        equal("odd first", rank % 2 == 1 ? rank / 2 : size / 2 + rank / 2, oddFirst.getRank());
        Intracomm any = inter.merge(true);
        equal("size", size, any.getSize());
        for (Intracomm each : new Intracomm[] {evenFirst, oddFirst, any}) {
            each.free();
        }
    }
}

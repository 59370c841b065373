package org.madcast.mpi.programs;

import static org.madcast.mpi.programs.Checks.equal;
import static org.madcast.mpi.programs.Checks.fails;
import static org.madcast.mpi.programs.Checks.that;

import mpi.Info;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/** One job that accepts and one that connects, which know each other by a published name. */
public final class Connected {

    private static int rank;
    private static int size;

    private Connected() {}

    /** Runs one side: {@code accept} or {@code connect}, and the name. */
    public static void main(String[] args) throws MPIException, InterruptedException {
        MPI.Init(args);
        rank = MPI.COMM_WORLD.getRank();
        size = MPI.COMM_WORLD.getSize();
        MPI.COMM_WORLD.setErrhandler(MPI.ERRORS_RETURN);
        MPI.COMM_SELF.setErrhandler(MPI.ERRORS_RETURN);
        if (args[0].equals("accept")) {
            accept(args[1]);
        } else if (args[0].equals("connect")) {
            connect(args[1]);
        } else {
            wrong(args[1]);
        }
        MPI.Finalize();
        Checks.end();
    }

    private static void accept(String name) {
        int root = size - 1;
        String port = rank == root ? Intracomm.openPort() : "";
        if (rank == root) {
            that("length", port.length() <= MPI.MAX_PORT_NAME);
            Intracomm.publishName(name, port);
        }
        for (int client = 0; client < 2; client++) {
            Intercomm inter = MPI.COMM_WORLD.accept(port, root);
            exchange(inter);
            Intracomm all = inter.merge(false);
            equal("rank", rank, all.getRank());
            all.disconnect();
            inter.disconnect();
        }
        if (rank == root) {
            Intracomm.unpublishName(name, port);
            Intracomm.closePort(port);
            fails("closed", MPI.ERR_PORT, () -> Intracomm.closePort(port));
        }
    }

    private static void connect(String name) throws InterruptedException {
        String port = rank == 0 ? found(name) : "";
        for (int time = 0; time < 2; time++) {
            Intercomm inter = MPI.COMM_WORLD.connect(port, 0);
            exchange(inter);
            Intracomm all = inter.merge(true);
            equal("rank", inter.getRemoteSize() + rank, all.getRank());
            all.disconnect();
            inter.disconnect();
        }
    }

    private static String found(String name) throws InterruptedException {
        while (true) {
            try {
                return Intracomm.lookupName(name);
            } catch (MPIException notYet) {
                equal("not yet", MPI.ERR_NAME, notYet.getErrorClass());
                Thread.sleep(20);
            }
        }
    }

    private static void exchange(Intercomm inter) {
        int[] theirs = new int[inter.getRemoteSize()];
        inter.allGather(new int[] {size}, 1, MPI.INT, theirs, 1, MPI.INT);
        for (int each : theirs) {
            equal("remote size", inter.getRemoteSize(), each);
        }
    }

    private static void wrong(String name) {
        fails("no port", MPI.ERR_PORT, () -> MPI.COMM_WORLD.connect("nonsense", 0));
        fails("no port", MPI.ERR_PORT, () -> MPI.COMM_WORLD.accept("nonsense", 0));
        fails("root", MPI.ERR_ROOT, () -> MPI.COMM_WORLD.accept("nonsense", -1));
        String port = Intracomm.openPort();
        Intracomm.closePort(port);
        fails("closed", MPI.ERR_PORT, () -> MPI.COMM_WORLD.connect(port, 0));
        fails("unknown", MPI.ERR_NAME, () -> Intracomm.lookupName(name));
        fails("unknown", MPI.ERR_SERVICE, () -> Intracomm.unpublishName(name, port));
        MPI.COMM_WORLD.barrier(); // rank 0 publishes the name
        if (rank == 0) {
            String open = Intracomm.openPort(MPI.INFO_NULL);
            Intracomm.publishName(name, MPI.INFO_NULL, open);
            equal("found", open, Intracomm.lookupName(name, MPI.INFO_NULL));
            fails("twice", MPI.ERR_SERVICE, () -> Intracomm.publishName(name, open));
            fails("another", MPI.ERR_SERVICE, () -> Intracomm.unpublishName(name, port));
            Intracomm.unpublishName(name, MPI.INFO_NULL, open);
            fails("empty", MPI.ERR_SERVICE, () -> Intracomm.publishName("", open));
            Info info = new Info();
            info.set("ip_port", "none");
            fails("ip_port", MPI.ERR_INFO_VALUE, () -> Intracomm.openPort(info));
            Thread closing = Thread.ofPlatform().start(() -> closeSoon(open));
            fails("closed", MPI.ERR_PORT, () -> MPI.COMM_SELF.accept(open, 0));
            try {
                closing.join();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void closeSoon(String port) {
        try {
            Thread.sleep(100);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        Intracomm.closePort(port);
    }
}

package org.madcast.mpi.programs;

import static org.madcast.mpi.programs.Checks.that;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import mpi.MPI;
import mpi.MPIException;
import mpi.Status;
import org.madcast.client.Communicator;
import org.madcast.client.CommunicatorConfig;

/** What a message allocates beyond what the client library does: its status. */
public final class Costs {

    private static final int CALLS = 20_000;
    private static final long STATUS_BYTES = 64;

    private Costs() {}

    private static long allocated() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        return threads.getCurrentThreadAllocatedBytes();
    }

    /** Runs the check. */
    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        CommunicatorConfig config =
                CommunicatorConfig.builder("costs-" + ProcessHandle.current().pid(), 0, 1)
                        .networkInterface("127.0.0.1")
                        .madcap(CommunicatorConfig.MADCAP_OFF)
                        .build();
        int[] out = new int[10];
        int[] in = new int[10];
        try (Communicator client = Communicator.join(config)) {
            long least = Long.MAX_VALUE;
            for (int round = 0; round < 3; round++) {
                long before = allocated();
                for (int i = 0; i < CALLS; i++) {
                    client.send(MemorySegment.ofArray(out), 0, 1);
                    var _ = client.recv(MemorySegment.ofArray(in), 0, 1);
                }
                long between = allocated();
                for (int i = 0; i < CALLS; i++) {
                    MPI.COMM_WORLD.send(out, 10, MPI.INT, 0, 1);
                    Status _ = MPI.COMM_WORLD.recv(in, 10, MPI.INT, 0, 1);
                }
                long more = (allocated() - between) - (between - before);
                least = Math.min(least, more / CALLS);
            }
            that(least + " bytes more for a message", least <= STATUS_BYTES);
        }
        MPI.Finalize();
        Checks.end();
    }
}

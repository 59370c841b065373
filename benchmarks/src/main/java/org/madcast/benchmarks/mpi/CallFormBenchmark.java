package org.madcast.benchmarks.mpi;

import java.lang.foreign.MemorySegment;
import java.nio.IntBuffer;
import java.util.concurrent.TimeUnit;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Status;
import org.madcast.client.Communicator;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.MessageStatus;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A message of ten integers that a rank sends itself, by the client library and in each form of
 * call of module mpi. The difference is what the module adds to a send and a receive.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class CallFormBenchmark {

    private static final int COUNT = 10;
    private static final int TAG = 1;

    private final int[] out = new int[COUNT];
    private final int[] in = new int[COUNT];
    private final IntBuffer outBuffer = MPI.newIntBuffer(COUNT);
    private final IntBuffer inBuffer = MPI.newIntBuffer(COUNT);
    private final Communicator client =
            Communicator.join(
                    CommunicatorConfig.builder("forms-" + ProcessHandle.current().pid(), 0, 1)
                            .networkInterface("127.0.0.1")
                            .madcap(CommunicatorConfig.MADCAP_OFF)
                            .build());

    /** Joins a job of one rank; a process may do so once, and may hold several benchmarks. */
    @Setup
    public void open() throws MPIException {
        if (!MPI.isInitialized()) {
            MPI.Init(new String[0]);
        }
    }

    /** Leaves the client library's job; the other one ends with the process. */
    @TearDown
    public void close() {
        client.close();
    }

    /** The client library alone. */
    @Benchmark
    public MessageStatus client() {
        client.send(MemorySegment.ofArray(out), 0, TAG);
        return client.recv(MemorySegment.ofArray(in), 0, TAG);
    }

    /** Open MPI's form, with arrays. */
    @Benchmark
    public Status openMpiArrays() throws MPIException {
        Intracomm world = MPI.COMM_WORLD;
        world.send(out, COUNT, MPI.INT, 0, TAG);
        return world.recv(in, COUNT, MPI.INT, 0, TAG);
    }

    /** Open MPI's form, with direct buffers. */
    @Benchmark
    public Status openMpiBuffers() throws MPIException {
        Intracomm world = MPI.COMM_WORLD;
        world.send(outBuffer, COUNT, MPI.INT, 0, TAG);
        return world.recv(inBuffer, COUNT, MPI.INT, 0, TAG);
    }

    /** The form of mpiJava 1.2, as MPJ Express has it. */
    @Benchmark
    public Status mpiJava() {
        Intracomm world = MPI.COMM_WORLD;
        world.Send(out, 0, COUNT, MPI.INT, 0, TAG);
        return world.Recv(in, 0, COUNT, MPI.INT, 0, TAG);
    }
}

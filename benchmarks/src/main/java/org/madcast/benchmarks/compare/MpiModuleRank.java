package org.madcast.benchmarks.compare;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.Status;
import org.madcast.measure.bench.BenchRank;
import org.madcast.measure.bench.BroadcastSystem;
import org.madcast.measure.bench.MeasuredCall;

/**
 * A rank that makes its calls as a Java MPI program does, in Open MPI's form with direct buffers.
 * So what it takes longer than {@link org.madcast.measure.bench.MadcastRank} is the module's cost.
 */
final class MpiModuleRank implements BroadcastSystem {

    private static final int MOST_UNDER_WAY = 64;

    /** The payload of a full Ethernet frame. */
    private static final int DATAGRAM_BYTES = 1472;

    private final Intracomm all;
    private final int rank;
    private final int ranks;

    private MpiModuleRank() throws MPIException {
        MPI.Init(new String[0]);
        all = MPI.COMM_WORLD;
        rank = all.getRank();
        ranks = all.getSize();
    }

    /** Takes part; the arguments are those of {@link BenchRank#run}. */
    public static void main(String[] arguments) {
        BenchRank.run(
                arguments,
                _ -> {
                    try {
                        return new MpiModuleRank();
                    } catch (MPIException e) {
                        throw new IOException("MPI.Init: " + e.getMessage(), e);
                    }
                });
    }

    @Override
    public void broadcast(String algorithm, MemorySegment message) throws IOException {
        throw new UnsupportedOperationException(algorithm + " is chosen by the library itself");
    }

    @Override
    public void call(
            String label, MemorySegment sent, MemorySegment received, int root, int count) {
        MeasuredCall call = MeasuredCall.of(label).orElseThrow();
        try {
            if (call == MeasuredCall.IBCAST) {
                broadcastManyAtOnce(bytes(received), root, count);
                return;
            }
            for (int i = 0; i < count; i++) {
                call(call, sent, received, call == MeasuredCall.BCAST_TURNS ? i % ranks : root);
            }
        } catch (MPIException e) {
            throw new IllegalStateException(label + " failed: " + e.getMessage(), e);
        }
    }

    private void call(MeasuredCall call, MemorySegment sent, MemorySegment received, int root)
            throws MPIException {
        switch (call) {
            case REDUCE ->
                    all.reduce(
                            doubles(sent),
                            doubles(received),
                            count(sent),
                            MPI.DOUBLE,
                            MPI.SUM,
                            root);
            case ALLREDUCE ->
                    all.allReduce(
                            doubles(sent), doubles(received), count(sent), MPI.DOUBLE, MPI.SUM);
            case REDUCE_SCATTER ->
                    all.reduceScatterBlock(
                            doubles(sent), doubles(received), count(received), MPI.DOUBLE, MPI.SUM);
            case SCAN ->
                    all.scan(doubles(sent), doubles(received), count(sent), MPI.DOUBLE, MPI.SUM);
            case PINGPONG -> exchange(bytes(sent), bytes(received));
            default -> move(call, bytes(sent), bytes(received), root);
        }
    }

    private void move(MeasuredCall call, ByteBuffer sent, ByteBuffer received, int root)
            throws MPIException {
        int out = sent.capacity();
        int in = received.capacity();
        switch (call) {
            case BARRIER -> all.barrier();
            case BCAST_TURNS, IBCAST -> all.bcast(received, in, MPI.BYTE, root);
            case GATHER -> all.gather(sent, out, MPI.BYTE, received, out, MPI.BYTE, root);
            case SCATTER -> all.scatter(sent, in, MPI.BYTE, received, in, MPI.BYTE, root);
            case ALLGATHER -> all.allGather(sent, out, MPI.BYTE, received, out, MPI.BYTE);
            case ALLTOALL ->
                    all.allToAll(sent, out / ranks, MPI.BYTE, received, in / ranks, MPI.BYTE);
            default -> throw new UnsupportedOperationException(call.label() + " is no such call");
        }
    }

    private void exchange(ByteBuffer sent, ByteBuffer received) throws MPIException {
        if (rank == 0) {
            all.send(sent, sent.capacity(), MPI.BYTE, 1, 0);
            Status _ = all.recv(received, received.capacity(), MPI.BYTE, 1, 0);
        } else if (rank == 1) {
            Status _ = all.recv(received, received.capacity(), MPI.BYTE, 0, 0);
            all.send(received, received.capacity(), MPI.BYTE, 0, 0);
        }
    }

    private void broadcastManyAtOnce(ByteBuffer message, int root, int count) throws MPIException {
        Request[] underWay = new Request[MOST_UNDER_WAY];
        for (int i = 0; i < count; i++) {
            int place = i % MOST_UNDER_WAY;
            if (i >= MOST_UNDER_WAY) {
                underWay[place].waitFor();
            }
            underWay[place] = all.iBcast(message, message.capacity(), MPI.BYTE, root);
        }
        for (int i = 0; i < Math.min(count, MOST_UNDER_WAY); i++) {
            underWay[i].waitFor();
        }
    }

    private static ByteBuffer bytes(MemorySegment memory) {
        return memory.asByteBuffer().order(ByteOrder.nativeOrder());
    }

    private static DoubleBuffer doubles(MemorySegment memory) {
        return bytes(memory).asDoubleBuffer();
    }

    private static int count(MemorySegment memory) {
        return (int) (memory.byteSize() / Double.BYTES);
    }

    @Override
    public int datagramBytes() {
        return DATAGRAM_BYTES;
    }

    @Override
    public void close() throws IOException {
        try {
            MPI.Finalize();
        } catch (MPIException e) {
            throw new IOException("MPI.Finalize: " + e.getMessage(), e);
        }
    }
}

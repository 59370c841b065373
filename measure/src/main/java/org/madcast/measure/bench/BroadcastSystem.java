package org.madcast.measure.bench;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.madcast.client.DurationDistribution;

/** What is measured, as one rank sees it. For one thread, except where it says otherwise itself. */
public interface BroadcastSystem extends AutoCloseable {

    /** Brings one into being. */
    @FunctionalInterface
    interface CommunicatorFactory {
        /**
         * Comes back when this rank has met all others.
         *
         * @param algorithms what it will be asked for
         */
        BroadcastSystem join(List<String> algorithms) throws IOException;
    }

    /**
     * Broadcasts rank 0's message to all ranks.
     *
     * @param algorithm one of those that the parent named
     * @param message rank 0's bytes; elsewhere as much memory for them, and the call returns when
     *     they have arrived
     */
    void broadcast(String algorithm, MemorySegment message) throws IOException;

    /** The same from another root. */
    default void broadcast(String algorithm, MemorySegment message, int root) throws IOException {
        if (root != 0) {
            throw new UnsupportedOperationException("only rank 0 broadcasts in this system");
        }
        broadcast(algorithm, message);
    }

    /**
     * Makes other calls than a broadcast, one behind the other.
     *
     * @param call a {@link MeasuredWay}
     * @param sent what this rank sends, as long as the call demands of this rank
     * @param received room for what it receives; the one buffer of a broadcast
     * @param root of those calls that have one
     * @param count how many
     */
    default void call(
            String call, MemorySegment sent, MemorySegment received, int root, int count) {
        throw new UnsupportedOperationException(call + " is not measured for this system");
    }

    /**
     * Begins a broadcast or another call and returns before it is complete.
     *
     * @param algorithm of a broadcast, or the label of another call
     * @param received room for what this rank receives; the message of a broadcast
     */
    default CompletableFuture<Void> begin(
            String algorithm, MemorySegment sent, MemorySegment received, int root) {
        throw new UnsupportedOperationException("nothing is overlapped in this system");
    }

    /** Returns at all ranks at about the same time, over what serves this algorithm or call. */
    default void meet(String algorithm) {
        throw new UnsupportedOperationException("this system has no barrier");
    }

    /** The network interface that it uses. */
    default String interfaceName() {
        return System.getenv().getOrDefault("MADCAST_INTERFACE", "");
    }

    /** The largest UDP payload that it sends: as large are the datagrams of the floor. */
    int datagramBytes();

    /** Fragments that arrived here as a repair so far; 0 for those that do not say. */
    default long repairs() {
        return 0;
    }

    /** This rank's times from a loss to its repair so far; none for those that do not say. */
    default DurationDistribution repairTimes() {
        return DurationDistribution.EMPTY;
    }

    @Override
    void close() throws IOException;
}

package org.madcast.client;

import java.io.ObjectInputFilter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Messages and collective operations on Java objects. An object is serialised by its sender, and
 * its receivers get copies of it; null is an object, too. A rank that keeps its own object gets
 * that back, not a copy.
 *
 * <pre>{@code
 * Settings settings = world.bcastObject(world.rank() == 0 ? read() : null, 0);
 * List<String> hosts = world.allgatherObjects(host);
 * }</pre>
 *
 * <p><b>What may come.</b> {@link CommunicatorConfig#objectFilter()} decides first, then {@code
 * jdk.serialFilter}, then the safe default of {@link ObjectCodec}: the JDK's values, collections
 * and exceptions, and the classes of the program's own class path.
 *
 * <p><b>Errors.</b> An object that is not serialisable is an {@link IllegalArgumentException}
 * before anything is sent, so that the call can be made again with another one. A class that is
 * refused or missing is an {@link ObjectException} that names it, on the receiving rank alone, when
 * its part of the operation is done: the ranks stay in step, and the next call works. Else errors
 * are those of {@link Messages} and {@link Collectives}. The type that the program expects is not
 * checked here: another one is a {@link ClassCastException} where the program uses the object.
 *
 * <p><b>Threads.</b> As of {@link Messages}. A collective operation is two collective calls, one of
 * lengths and one of data; while other threads call, too, use a {@link Communicator#dup} for it.
 * None has a non-blocking form, since its second call must not wait for others that have begun.
 */
public interface ObjectOperations extends ArrayOperations {

    /** This process's number, 0 to {@code size() - 1}. */
    int rank();

    /** How many processes take part. */
    int size();

    /**
     * What reads the objects of this communicator, with its filter.
     *
     * @see ObjectInputFilter
     */
    ObjectCodec codec();

    /** The message of one object. */
    private static MemorySegment message(@Nullable Object object) {
        return MemorySegment.ofArray(ObjectCodec.write(object));
    }

    /** The one object of a message. */
    // The program knows what its ranks send.
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private <T extends @Nullable Object> T object(MemorySegment message) {
        if (message.byteSize() > Integer.MAX_VALUE - 8) {
            throw ObjectCodec.noObject(message.byteSize());
        }
        @Nullable Object[] objects = codec().read(message.toArray(ValueLayout.JAVA_BYTE));
        if (objects.length != 1) {
            throw ObjectCodec.noObject(message.byteSize());
        }
        return (T) objects[0];
    }

    /** The objects by rank, of which this rank's own is not read. */
    private <T extends @Nullable Object> List<T> objects(List<MemorySegment> messages, T own) {
        List<T> objects = new ArrayList<>(messages.size());
        for (int rank = 0; rank < messages.size(); rank++) {
            objects.add(rank == rank() ? own : object(messages.get(rank)));
        }
        return Collections.unmodifiableList(objects);
    }

    /**
     * Sends an object (MPI_Send). It is serialised when this returns.
     *
     * @see Messages#send(MemorySegment, int, int)
     */
    default void sendObject(@Nullable Object object, int destination, int tag) {
        send(message(object), destination, tag);
    }

    /** Begins to send an object, which may be changed when this returns (MPI_Isend). */
    default CompletableFuture<MessageStatus> isendObject(
            @Nullable Object object, int destination, int tag) {
        return isend(message(object), destination, tag);
    }

    /**
     * Receives an object (MPI_Recv). Whose it is, of any source, {@link Messages#probe} tells
     * before.
     *
     * @throws ObjectException when a class is refused, or the message is no object's
     * @throws RankLostException when the sender is lost
     */
    @SuppressWarnings("TypeParameterUnusedInFormals") // the program knows what is sent
    default <T extends @Nullable Object> T recvObject(int source, int tag) {
        MemorySegment[] message = new MemorySegment[1];
        MessageStatus _ = MadcastException.join(irecv(bytes -> room(message, bytes), source, tag));
        return object(message[0]);
    }

    private static MemorySegment room(MemorySegment[] message, long bytes) {
        message[0] = ByteMessages.allocate(bytes);
        return message[0];
    }

    /**
     * Begins to receive an object (MPI_Irecv). The future ends with it, or with the {@link
     * MadcastException} of {@link #recvObject}; cancelling the future leaves the receive.
     */
    default <T extends @Nullable Object> CompletableFuture<T> irecvObject(int source, int tag) {
        MemorySegment[] message = new MemorySegment[1];
        return irecv(bytes -> room(message, bytes), source, tag).thenApply(_ -> object(message[0]));
    }

    /**
     * The root's object at every rank (MPI_Bcast).
     *
     * @param object the root's; ignored on every other rank
     * @return the object: at the root the one given, elsewhere a copy
     */
    @SuppressWarnings("NullAway") // null at the root is an object of the program's
    default <T extends @Nullable Object> T bcastObject(@Nullable T object, int root) {
        boolean sends = rank() == root;
        MemorySegment message = new ByteMessages(this).bcast(sends ? message(object) : null, root);
        return sends ? object : object(message);
    }

    /**
     * Every rank's object at the root (MPI_Gather).
     *
     * @return the objects by rank, a list that cannot be changed; empty on every other rank
     */
    default <T extends @Nullable Object> List<T> gatherObjects(T object, int root) {
        return objects(new ByteMessages(this).gather(message(object), root), object);
    }

    /**
     * Every rank's object at every rank (MPI_Allgather).
     *
     * @return the objects by rank, a list that cannot be changed
     */
    default <T extends @Nullable Object> List<T> allgatherObjects(T object) {
        return objects(new ByteMessages(this).allgather(message(object)), object);
    }

    /**
     * To every rank its object of the root's (MPI_Scatter).
     *
     * @param objects one for each rank, by rank; used at the root only, where null is refused
     * @return this rank's object; at the root its own of those given
     * @throws IllegalArgumentException also when the root has not one for each rank
     */
    default <T extends @Nullable Object> T scatterObjects(
            @Nullable List<? extends T> objects, int root) {
        boolean sends = rank() == root;
        MemorySegment message =
                new ByteMessages(this)
                        .scatter(
                                sends && objects != null
                                        ? objects.stream().map(ObjectOperations::message).toList()
                                        : null,
                                root);
        return sends && objects != null ? objects.get(root) : object(message);
    }

    /**
     * An object to every rank and one from every rank (MPI_Alltoall).
     *
     * @param objects one for each rank, by rank
     * @return the objects by the rank that they come from, a list that cannot be changed
     * @throws IllegalArgumentException also when there is not one for each rank
     */
    default <T extends @Nullable Object> List<T> alltoallObjects(List<? extends T> objects) {
        List<MemorySegment> received =
                new ByteMessages(this)
                        .alltoall(objects.stream().map(ObjectOperations::message).toList());
        return objects(received, objects.get(rank()));
    }

    /**
     * The objects of all ranks combined, at the root (MPI_Reduce), in the order of ranks: the
     * operation must be associative and need not commute. The root has the objects of all ranks in
     * memory, and combines them by itself.
     *
     * @param operation what two objects give; it may change and return one of the two. What it
     *     throws is thrown at the root, when the call has ended on the other ranks
     * @return the result; null on every other rank
     */
    default <T extends @Nullable Object> @Nullable T reduceObjects(
            T object, BinaryOperator<T> operation, int root) {
        List<MemorySegment> all = new ByteMessages(this).gather(message(object), root);
        return rank() == root ? combined(all, operation) : null;
    }

    /**
     * The objects of all ranks combined, at every rank (MPI_Allreduce), in the order of ranks. Each
     * rank has the objects of all in memory, and combines them by itself: the operation must give
     * the same everywhere.
     *
     * @param operation as of {@link #reduceObjects}; what it throws is thrown at every rank
     */
    default <T extends @Nullable Object> T allreduceObjects(T object, BinaryOperator<T> operation) {
        return combined(new ByteMessages(this).allgather(message(object)), operation);
    }

    /** All from copies, so that an operation which changes them does not change the program's. */
    private <T extends @Nullable Object> T combined(
            List<MemorySegment> messages, BinaryOperator<T> operation) {
        List<T> objects = new ArrayList<>(messages.size());
        messages.forEach(each -> objects.add(object(each)));
        T result = objects.getFirst();
        for (T next : objects.subList(1, objects.size())) {
            result = operation.apply(result, next);
        }
        return result;
    }
}

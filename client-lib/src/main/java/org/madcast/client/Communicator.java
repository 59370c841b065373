package org.madcast.client;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A group of processes, each with a rank from 0 to {@code size() - 1}, that broadcast to each other
 * (MPI's communicator). Every rank calls the same collective operations in the same order.
 *
 * <p><b>Threads.</b> Any thread may call. The order of collective calls over all threads must be
 * the same on every rank, as in MPI; threads that call independently of each other have a
 * communicator each ({@link #dup}). {@link #statistics()} and {@link #info()} may be called from
 * anywhere at any time.
 *
 * <p><b>Failure.</b> No call hangs: when a rank is lost, every call that is pending and every later
 * one ends with {@link RankLostException} within {@link BroadcastParameters#deathTimeout()}. The
 * other ranks can go on without it: {@link Survival}.
 */
public interface Communicator extends ObjectOperations, Survival, AutoCloseable {

    /**
     * Joins the communicator that the configuration names and returns when all of its ranks have.
     * Who has closed one and joins again under its name meets the others in the next one, once they
     * join again too, also while some of them still use the old one.
     *
     * @throws IllegalArgumentException when the selection file cannot be read or is wrong
     * @throws JoinFailedException when they did not within the configured time
     * @throws TransportException when no socket could be opened
     */
    static Communicator join(CommunicatorConfig config) {
        return org.madcast.client.internal.CommunicatorFactory.join(config);
    }

    /**
     * Joins the communicator that the launcher of this process says: {@link
     * CommunicatorConfig#fromEnvironment()}.
     *
     * @throws IllegalArgumentException when a variable is missing or invalid, or the launcher has
     *     started spare ranks, for which a program calls {@link Spares#fromEnvironment()} instead
     * @throws JoinFailedException when the ranks did not find each other within the configured time
     * @throws TransportException when no socket could be opened
     */
    static Communicator fromEnvironment() {
        if (new CommunicatorConfigEnvironment(System.getenv()).spares() > 0) {
            throw new IllegalArgumentException(
                    "there are spare ranks (MADCAST_SPARES), and this program does not use them: it"
                            + " has to join by Spares.fromEnvironment()");
        }
        return join(CommunicatorConfig.fromEnvironment());
    }

    /** This process's number, 0 to {@code size() - 1}. */
    @Override
    int rank();

    /** How many processes take part. */
    @Override
    int size();

    /**
     * A place in the program at which it broadcasts, by a name of the program's choice. What is
     * broadcast there is counted apart, and the root's delay is tuned apart, from what the
     * communicator itself broadcasts: two broadcasts in one loop can behave oppositely, though they
     * are of the same size. All ranks should use the same name for the same broadcast; nothing
     * fails when they do not. Calls at all places of a communicator are in one order.
     *
     * <pre>{@code
     * BroadcastSite pivots = communicator.site("pivots");
     * for (int step = 0; step < n; step++) {
     *     pivots.bcast(pivot, step % size);
     *     communicator.bcast(row, 0);
     * }
     * }</pre>
     *
     * @param name 1 to {@value BroadcastSite#LONGEST_NAME} characters, none of them a control
     *     character; of the names beyond the first {@value BroadcastSite#MOST} nothing is counted
     *     apart
     * @throws IllegalArgumentException when the name is none
     */
    BroadcastSite site(String name);

    /**
     * Broadcasts bytes whose length only the root knows (two MPI_Bcast): first the length, then
     * them. It costs one short broadcast more than {@link #bcast(byte[], int)}, or that one alone
     * when there are no bytes. While other threads call, too, use a {@link #dup} for it.
     *
     * @param message the root's message, which is only read; ignored on every other rank
     * @return the message: at the root the array given, elsewhere a new one
     * @throws IllegalArgumentException when root is no rank, or the root has no message
     * @throws IllegalStateException when the communicator is closed
     * @throws MismatchException when another rank made another call
     * @throws RankLostException when a rank died
     */
    default byte[] bcastUnknownLength(byte @Nullable [] message, int root) {
        int[] length = new int[1];
        byte[] own = new byte[0];
        if (rank() == root) {
            if (message == null) {
                throw new IllegalArgumentException("message is null at root " + root);
            }
            own = message;
            length[0] = message.length;
        }
        bcast(Elements.of(length), root);
        if (rank() != root) {
            own = new byte[length[0]];
        }
        if (length[0] > 0) {
            bcast(own, root);
        }
        return own;
    }

    /**
     * Returns when every rank has called it.
     *
     * @throws IllegalStateException when the communicator is closed
     * @throws MismatchException when another rank broadcasts where this one is at a barrier
     * @throws RankLostException when a rank died
     */
    void barrier();

    /**
     * Whether it is known where the ranks are among switches and cables, by the topology that they
     * got when they joined; the same on every rank.
     */
    boolean knowsSwitches();

    /**
     * New numbers for the ranks: see {@link Topology#numbers}.
     *
     * @param links between numbers from 0 to the number of ranks - 1; the same on every rank
     * @return the new number of each rank; its own where no switches are known
     */
    int[] numbers(List<Topology.Link> links);

    /**
     * Divides the ranks: those with the same colour make a new communicator, ordered by key, then
     * by rank (MPI_Comm_split). A collective call, which costs one allgather. The new communicator
     * shares the connections of this one, may be used together with it and after it is closed, and
     * is closed by its user.
     *
     * @param color 0 or more, or negative for a rank that wants no new communicator
     * @return the new communicator; empty for a negative colour
     */
    Optional<Communicator> split(int color, int key);

    /**
     * A new communicator of the same ranks (MPI_Comm_dup), for a library that must not be disturbed
     * by its user's calls. A collective call, which sends nothing; see {@link #split}.
     */
    Communicator dup();

    /**
     * A new communicator of some of the ranks (MPI_Comm_create_group), made by these ranks alone;
     * it sends nothing. All of them make the call, with equal arguments; the others do not.
     *
     * @param ranks ranks of this communicator, the calling one among them; the first is rank 0 of
     *     the new communicator
     * @param id a number of the caller's choice. Calls for the same ranks that are made at the same
     *     time by different threads need different ones
     * @throws IllegalArgumentException when a rank is outside of this communicator or occurs twice,
     *     or the calling rank is not among them
     */
    Communicator createGroup(List<Integer> ranks, long id);

    /**
     * The number that a rank has in the communicator in which the processes met, out of which this
     * one was made.
     *
     * @throws IllegalArgumentException when it is no rank of this communicator
     */
    int worldRank(int rank);

    /**
     * Which algorithm serves a message of this size at present when the call names none, and why.
     * What works can change: when multicast dies, a unicast algorithm serves.
     *
     * @param messageBytes 0 or more
     */
    AlgorithmSelection selection(long messageBytes);

    /**
     * Which algorithm serves a collective operation, and why. The selection file can decide
     * otherwise.
     *
     * @param bytes what the operation is selected by ({@link CollectiveOperation}), 0 or more
     */
    CollectiveSelection selection(CollectiveOperation operation, long bytes);

    /**
     * Gives a rank up as if it had died: on every rank, this one included, pending and later calls
     * end with a {@link RankLostException} that names it. For a program that does not want to wait
     * for a rank that answers, but not soon enough. Any thread may call it, also while another one
     * is in a collective call.
     *
     * @throws IllegalArgumentException when it is no rank or this one
     */
    void markFailed(int rank);

    /** What the ranks agreed on when they joined. */
    CommunicatorInfo info();

    /** This rank's counters so far. */
    CommunicatorStatistics statistics();

    /**
     * Leaves. A communicator that was made out of another one and has no group waits for collective
     * calls that it has begun, at most for the death timeout; messages that it has not received are
     * dropped. The connections are closed with the last communicator that uses them.
     *
     * <p>One with a group waits until no rank can still need a repair from this one, or no rank has
     * come forward for {@link BroadcastParameters#deathTimeout()}, then frees sockets and, on the
     * last rank, the lease. A second call does nothing.
     *
     * <p>A root may have returned before another rank compares its call with it, and a receiver
     * before a third one does. When that other call is of another size, root or algorithm, and no
     * later call here reported it, this one does, once all is freed. It cannot tell of a rank that
     * calls only after this one has waited in vain, nor of one that closes without the call.
     *
     * @throws MismatchException when another rank's last calls were not the same as this one's
     */
    @Override
    void close();
}

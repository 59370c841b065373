package mpi;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Communicator;
import org.madcast.client.Messages;
import org.madcast.client.RankLostException;

/**
 * What stands behind a communicator until it is freed. The ranks of an intercommunicator, of both
 * groups, are in one communicator of the client library, one group after the other.
 */
final class CommState {

    private static final Set<CommState> OPEN = ConcurrentHashMap.newKeySet();

    /** The handle, and each operation that has begun and was not waited for. */
    private final AtomicInteger users = new AtomicInteger(1);

    private final World world;
    private final Communicator all;
    private final @Nullable Communicator localCommunicator;
    private final Group localGroup;
    private final @Nullable Group remoteGroup;
    private final int peers;
    private final int firstPeer;

    final Attributes attributes = new Attributes(Attributes.Holder.COMMUNICATOR);
    volatile String name = "";
    volatile Errhandler handler = MPI.ERRORS_ARE_FATAL;
    volatile Info info = new Info();

    /**
     * Of an intracommunicator.
     *
     * @param world where its processes met
     */
    CommState(World world, Communicator communicator) {
        this.world = world;
        this.all = communicator;
        this.localCommunicator = null;
        this.localGroup = world.groupOf(communicator);
        this.remoteGroup = null;
        this.peers = communicator.size();
        this.firstPeer = 0;
        open();
    }

    /**
     * Of an intercommunicator.
     *
     * @param world where its processes met
     * @param all both groups' ranks
     * @param local this group's ranks
     * @param first whether this group's ranks are the first in {@code all}
     */
    CommState(
            World world,
            Communicator all,
            Communicator local,
            Group localGroup,
            Group remoteGroup,
            boolean first) {
        this.world = world;
        this.all = all;
        this.localCommunicator = local;
        this.localGroup = localGroup;
        this.remoteGroup = remoteGroup;
        this.peers = remoteGroup.members().length;
        this.firstPeer = first ? local.size() : 0;
        open();
    }

    private void open() {
        world.use();
        OPEN.add(this);
    }

    /** Where its processes met. */
    World world() {
        return world;
    }

    /** All ranks that messages come from and go to, and this one. */
    Communicator all() {
        return all;
    }

    /** The ranks of this group. */
    Communicator local() {
        return localCommunicator == null ? all : localCommunicator;
    }

    Group localGroup() {
        return localGroup;
    }

    boolean isInter() {
        return remoteGroup != null;
    }

    /** The other group of an intercommunicator. */
    Group remoteGroup() {
        if (remoteGroup == null) {
            throw new MPIException(ErrorClass.COMM, "an intracommunicator has no remote group");
        }
        return remoteGroup;
    }

    /** How many ranks messages can go to. */
    int peers() {
        return peers;
    }

    /** Whether the ranks of this group come first in {@link #all}. */
    boolean isFirst() {
        return firstPeer > 0 || remoteGroup == null;
    }

    /** The number in {@link #all} of a rank that a message goes to. */
    int inAll(String what, int rank) {
        if (rank < 0 || rank >= peers) {
            throw new MPIException(
                    ErrorClass.RANK, what + " " + rank + " is outside 0 to " + (peers - 1));
        }
        return firstPeer + rank;
    }

    /** The same of a receive's source, which may be any. */
    int sourceInAll(int source) {
        return source == MPI.ANY_SOURCE ? Messages.ANY_SOURCE : inAll("source", source);
    }

    /** The rank of a number in {@link #all}. */
    int peer(int inAll) {
        return inAll - firstPeer;
    }

    /** Waits for all ranks, but for those that are gone. */
    void awaitAll() {
        try {
            all.barrier();
        } catch (RankLostException gone) {
            System.getLogger(CommState.class.getName())
                    .log(System.Logger.Level.DEBUG, "disconnecting", gone);
        }
    }

    /** The same of a new context; a collective call. */
    CommState dup() {
        CommState made =
                localCommunicator == null || remoteGroup == null
                        ? new CommState(world, all.dup())
                        : new CommState(
                                world,
                                all.dup(),
                                localCommunicator.dup(),
                                localGroup,
                                remoteGroup,
                                isFirst());
        made.handler = handler;
        made.info = info.copy();
        attributes.copyTo(made.attributes);
        return made;
    }

    /** An intracommunicator that was made out of this one. */
    CommState part(Communicator communicator) {
        CommState made = new CommState(world, communicator);
        made.handler = handler;
        return made;
    }

    /** IDENT, CONGRUENT, SIMILAR or UNEQUAL. */
    int compare(CommState other) {
        if (this == other) {
            return MPI.IDENT;
        }
        if (isInter() != other.isInter()) {
            return MPI.UNEQUAL;
        }
        int groups = Group.compare(localGroup, other.localGroup);
        if (remoteGroup != null) {
            groups = Math.max(groups, Group.compare(remoteGroup, other.remoteGroup()));
        }
        return groups == MPI.IDENT ? MPI.CONGRUENT : groups;
    }

    static void checkNotPredefined(int keyval) {
        if (keyval >= MPI.TAG_UB && keyval <= MPI.WIN_DISP_UNIT) {
            throw new MPIException(
                    ErrorClass.KEYVAL, "key " + keyval + " is MPI's own and cannot be changed");
        }
    }

    /** An attribute of the program, or MPI's own. */
    @Nullable Object attribute(int keyval) {
        return switch (keyval) {
            case MPI.TAG_UB -> Integer.MAX_VALUE;
            case MPI.HOST -> MPI.PROC_NULL;
            case MPI.IO -> MPI.ANY_SOURCE;
            case MPI.WTIME_IS_GLOBAL -> false; // a Boolean in both APIs
            case MPI.APPNUM -> Environment.current().programNumber();
            case MPI.LASTUSEDCODE -> MPI.ERR_LASTCODE;
            case MPI.UNIVERSE_SIZE -> Environment.current().size();
            default -> attributes.get(keyval);
        };
    }

    /** An operation has begun: the communicator stays open until it has ended. */
    void use() {
        users.incrementAndGet();
    }

    /** Its handle was freed, or an operation has ended; the last one closes it. */
    void leave() {
        if (users.decrementAndGet() == 0) {
            close();
        }
    }

    /** The worlds of all that are open. */
    static Set<World> worlds() {
        return OPEN.stream().map(CommState::world).collect(Collectors.toSet());
    }

    /** Closes all that are open, those of one world last. */
    static void closeAll(World last) {
        OPEN.stream().filter(each -> !each.world.equals(last)).forEach(CommState::close);
        OPEN.forEach(CommState::close);
    }

    private void close() {
        OPEN.remove(this);
        if (!all.equals(world.ranks())) {
            all.close();
        }
        if (localCommunicator != null) {
            localCommunicator.close();
        }
        world.leave();
    }
}

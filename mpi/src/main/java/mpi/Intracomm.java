package mpi;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Communicator;

/** A communicator of one group of ranks. */
public class Intracomm extends IntracommTopologies {

    private static final String PROCESSES = "a process that is not of the job";

    Intracomm(@Nullable CommState state) {
        super(state);
    }

    @Override
    Intracomm with(CommState made) {
        return new Intracomm(made);
    }

    /** A communicator of the same ranks (MPI_Comm_dup). */
    @Override
    public Intracomm clone() {
        return (Intracomm) super.clone();
    }

    @Override
    public Intracomm dup() throws MPIException {
        return (Intracomm) super.dup();
    }

    @Override
    public Intracomm iDup() throws MPIException {
        return (Intracomm) super.iDup();
    }

    @Override
    public Intracomm dupWithInfo(Info info) throws MPIException {
        return (Intracomm) super.dupWithInfo(info);
    }

    /** IDENT, CONGRUENT, SIMILAR or UNEQUAL (MPI_Comm_compare). */
    public static int Compare(Comm comm1, Comm comm2) throws MPIException {
        return compare(comm1, comm2);
    }

    private Optional<CommState> divide(int colour, int key) {
        CommState parent = state();
        if (colour < 0 && colour != MPI.UNDEFINED) {
            throw new MPIException(
                    ErrorClass.ARG, "colour " + colour + " is negative and not UNDEFINED");
        }
        Optional<Communicator> made = parent.all().split(colour < 0 ? -1 : colour, key);
        return made.map(it -> parent.part(it, groupOf(it)));
    }

    /** The group of a communicator's ranks. */
    static Group groupOf(Communicator made) {
        return new Group(IntStream.range(0, made.size()).map(made::worldRank).toArray());
    }

    private static Intracomm orNull(Optional<CommState> made) {
        return new Intracomm(made.orElse(null));
    }

    private static @Nullable Intracomm orNothing(Optional<CommState> made) {
        return made.map(Intracomm::new).orElse(null);
    }

    /**
     * Divides the ranks by colour, ordered by key; with UNDEFINED the result is a null communicator
     * (MPI_Comm_split).
     */
    public Intracomm split(int colour, int key) throws MPIException {
        try {
            return orNull(divide(colour, key));
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** As {@link #split}; with UNDEFINED the result is {@code null}. */
    public @Nullable Intracomm Split(int color, int key) throws MPIException {
        try {
            return orNothing(divide(color, key));
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Divides the ranks by host, for TYPE_SHARED (MPI_Comm_split_type). */
    public Intracomm splitType(int splitType, int key, Info info) throws MPIException {
        try {
            if (splitType != TYPE_SHARED && splitType != MPI.UNDEFINED) {
                throw new MPIException(
                        ErrorClass.ARG,
                        "split type " + splitType + " is neither TYPE_SHARED nor UNDEFINED");
            }
            return orNull(divide(splitType == TYPE_SHARED ? firstOfHost() : MPI.UNDEFINED, key));
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** The first rank at this one's address. */
    private int firstOfHost() {
        Communicator all = state().all();
        List<InetAddress> hosts =
                all.info().members().stream().map(InetSocketAddress::getAddress).toList();
        return hosts.indexOf(hosts.get(all.rank()));
    }

    /** The ranks in this communicator of a group's processes. */
    private int[] ranksOf(Group group) {
        int[] all = Group.allRanks(group.members().length);
        int[] ranks = Group.translateRanks(group, all, new Group(state().localGroup().members()));
        for (int rank : ranks) {
            if (rank == MPI.UNDEFINED) {
                throw new MPIException(
                        ErrorClass.GROUP,
                        "the group has a process that is not in the communicator");
            }
        }
        return ranks;
    }

    private Optional<CommState> createOf(Group group) {
        int[] ranks = ranksOf(group);
        int own = group.getRank();
        return divide(own == MPI.UNDEFINED ? own : ranks[0], own);
    }

    /**
     * A communicator of these ranks; a collective call of all ranks, of which the others get a null
     * communicator (MPI_Comm_create).
     */
    public Intracomm create(Group group) throws MPIException {
        try {
            return orNull(createOf(group));
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** As {@link #create}; the other ranks get {@code null}. */
    public @Nullable Intracomm Create(Group group) throws MPIException {
        try {
            return orNothing(createOf(group));
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /**
     * A communicator of these ranks, made by them alone (MPI_Comm_create_group).
     *
     * @param tag tells calls apart that threads make at the same time
     */
    public Intracomm createGroup(Group group, int tag) throws MPIException {
        try {
            CommState parent = state();
            checkTag(tag);
            List<Integer> ranks = IntStream.of(ranksOf(group)).boxed().toList();
            return group.getRank() == MPI.UNDEFINED
                    ? new Intracomm(null)
                    : new Intracomm(parent.part(parent.all().createGroup(ranks, tag), group));
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** A port for other jobs; not supported (MPI_Open_port). */
    public static String openPort() throws MPIException {
        throw Errors.unsupported(PROCESSES);
    }

    /** A port for other jobs; not supported (MPI_Open_port). */
    public static String openPort(Info info) throws MPIException {
        throw Errors.unsupported(PROCESSES);
    }

    /** Closes a port; not supported (MPI_Close_port). */
    public static void closePort(String name) throws MPIException {
        throw Errors.unsupported(PROCESSES);
    }

    /** Waits for another job; not supported (MPI_Comm_accept). */
    public Intercomm accept(String port, int root) throws MPIException {
        throw Errors.unsupported(PROCESSES);
    }

    /** Waits for another job; not supported (MPI_Comm_accept). */
    public Intercomm accept(String port, Info info, int root) throws MPIException {
        throw Errors.unsupported(PROCESSES);
    }

    /** Connects to another job; not supported (MPI_Comm_connect). */
    public Intercomm connect(String port, int root) throws MPIException {
        throw Errors.unsupported(PROCESSES);
    }

    /** Connects to another job; not supported (MPI_Comm_connect). */
    public Intercomm connect(String port, Info info, int root) throws MPIException {
        throw Errors.unsupported(PROCESSES);
    }

    /** Names a port; not supported (MPI_Publish_name). */
    public static void publishName(String service, String port) throws MPIException {
        throw Errors.unsupported(PROCESSES);
    }

    /** Names a port; not supported (MPI_Publish_name). */
    public static void publishName(String service, Info info, String port) throws MPIException {
        throw Errors.unsupported(PROCESSES);
    }

    /** Takes a name back; not supported (MPI_Unpublish_name). */
    public static void unpublishName(String service, String port) throws MPIException {
        throw Errors.unsupported(PROCESSES);
    }

    /** Takes a name back; not supported (MPI_Unpublish_name). */
    public static void unpublishName(String service, Info info, String port) throws MPIException {
        throw Errors.unsupported(PROCESSES);
    }

    /** The port of a name; not supported (MPI_Lookup_name). */
    public static String lookupName(String service) throws MPIException {
        throw Errors.unsupported(PROCESSES);
    }

    /** The port of a name; not supported (MPI_Lookup_name). */
    public static String lookupName(String service, Info info) throws MPIException {
        throw Errors.unsupported(PROCESSES);
    }

    /** Starts further processes; not supported (MPI_Comm_spawn). */
    public Intercomm spawn(
            String command, String[] argv, int maxprocs, Info info, int root, int[] errcodes)
            throws MPIException {
        throw Errors.unsupported(PROCESSES);
    }

    /** Starts further processes; not supported (MPI_Comm_spawn_multiple). */
    public Intercomm spawnMultiple(
            String[] commands,
            String[][] argv,
            int[] maxprocs,
            Info[] info,
            int root,
            int[] errcodes)
            throws MPIException {
        throw Errors.unsupported(PROCESSES);
    }
}

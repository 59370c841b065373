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
        return made.map(parent::part);
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
        int[] all = Group.allRanks(Group.membersOf(group).length);
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
                    : new Intracomm(parent.part(parent.all().createGroup(ranks, tag)));
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Opens a port for other jobs, and returns its name (MPI_Open_port). */
    public static String openPort() throws MPIException {
        return openPort(MPI.INFO_NULL);
    }

    /**
     * As {@link #openPort()}; the keys {@code ip_address} and {@code ip_port} say where
     * (MPI_Open_port).
     */
    public static String openPort(Info info) throws MPIException {
        try {
            return Port.open(info.copy()).name();
        } catch (RuntimeException failed) {
            throw Errors.raise(failed);
        }
    }

    /** Closes a port (MPI_Close_port). */
    public static void closePort(String name) throws MPIException {
        try {
            Environment.check();
            Port.of(name).close();
        } catch (RuntimeException failed) {
            throw Errors.raise(failed);
        }
    }

    /** Waits for a job that connects to a port; see the other one (MPI_Comm_accept). */
    public Intercomm accept(String port, int root) throws MPIException {
        return accept(port, MPI.INFO_NULL, root);
    }

    /**
     * Waits for a job that connects to a port of the root; a collective call (MPI_Comm_accept).
     *
     * @param info has no effect
     */
    public Intercomm accept(String port, Info info, int root) throws MPIException {
        try {
            return Meeting.accept(state(), port, root);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Connects to a port of another job; see the other one (MPI_Comm_connect). */
    public Intercomm connect(String port, int root) throws MPIException {
        return connect(port, MPI.INFO_NULL, root);
    }

    /**
     * Connects to a port that the root knows, and waits until it accepts; a collective call
     * (MPI_Comm_connect).
     *
     * @param info has no effect
     */
    public Intercomm connect(String port, Info info, int root) throws MPIException {
        try {
            return Meeting.connect(state(), port, root);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Publishes a port under a name (MPI_Publish_name). */
    public static void publishName(String service, String port) throws MPIException {
        publishName(service, MPI.INFO_NULL, port);
    }

    /** As the other one; the info object has no effect (MPI_Publish_name). */
    public static void publishName(String service, Info info, String port) throws MPIException {
        try {
            Environment.check();
            PublishedNames.publish(service, port);
        } catch (RuntimeException failed) {
            throw Errors.raise(failed);
        }
    }

    /** Takes a name back (MPI_Unpublish_name). */
    public static void unpublishName(String service, String port) throws MPIException {
        unpublishName(service, MPI.INFO_NULL, port);
    }

    /** As the other one; the info object has no effect (MPI_Unpublish_name). */
    public static void unpublishName(String service, Info info, String port) throws MPIException {
        try {
            Environment.check();
            PublishedNames.unpublish(service, port);
        } catch (RuntimeException failed) {
            throw Errors.raise(failed);
        }
    }

    /** The port that is published under a name (MPI_Lookup_name). */
    public static String lookupName(String service) throws MPIException {
        return lookupName(service, MPI.INFO_NULL);
    }

    /** As the other one; the info object has no effect (MPI_Lookup_name). */
    public static String lookupName(String service, Info info) throws MPIException {
        try {
            Environment.check();
            return PublishedNames.lookup(service);
        } catch (RuntimeException failed) {
            throw Errors.raise(failed);
        }
    }

    /**
     * Starts processes on the root's host, whose COMM_WORLD is connected with this communicator; a
     * collective call. Arguments but the last two count at the root only (MPI_Comm_spawn).
     *
     * @param info its key {@code wdir} is the directory where they start
     * @param errcodes becomes the error class of each process; may be null
     */
    public Intercomm spawn(
            String command,
            String @Nullable [] argv,
            int maxprocs,
            Info info,
            int root,
            int @Nullable [] errcodes)
            throws MPIException {
        try {
            return Spawning.spawn(
                    state(),
                    () -> List.of(Program.of(command, argv, maxprocs, info, 0)),
                    root,
                    errcodes);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** As {@link #spawn}, of several programs in one COMM_WORLD (MPI_Comm_spawn_multiple). */
    public Intercomm spawnMultiple(
            String[] commands,
            String @Nullable [] @Nullable [] argv,
            int[] maxprocs,
            Info[] info,
            int root,
            int @Nullable [] errcodes)
            throws MPIException {
        try {
            return Spawning.spawn(
                    state(), () -> Program.all(commands, argv, maxprocs, info), root, errcodes);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }
}

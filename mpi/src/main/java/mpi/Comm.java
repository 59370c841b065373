package mpi;

import org.jspecify.annotations.Nullable;

/** A communicator: ranks that send each other messages and call collective operations. */
public class Comm extends CommNeighbors {

    /** The split type of ranks that can share memory: those of one host. */
    public static final int TYPE_SHARED = 0;

    private @Nullable Request pending;

    Comm(@Nullable CommState state) {
        super(state);
    }

    /** A communicator of the same class and topology for another state. */
    Comm with(CommState made) {
        return new Comm(made);
    }

    /** A communicator of the same ranks (MPI_Comm_dup). */
    @Override
    @SuppressWarnings("MissingSuperCall") // each class makes its own
    public Comm clone() {
        return dup();
    }

    /** A communicator of the same ranks, with this one's attributes (MPI_Comm_dup). */
    public Comm dup() throws MPIException {
        try {
            return with(state().dup());
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** As {@link #dup}; usable once {@link #getRequest} has ended (MPI_Comm_idup). */
    public Comm iDup() throws MPIException {
        Comm made = dup();
        made.pending = Request.ended(made);
        return made;
    }

    /** As {@link #dup}, with other hints (MPI_Comm_dup_with_info). */
    public Comm dupWithInfo(Info info) throws MPIException {
        try {
            Info _ = Info.given(info);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
        Comm made = dup();
        made.setInfo(info);
        return made;
    }

    /** The request of {@link #iDup}; REQUEST_NULL for another communicator. */
    public Request getRequest() {
        return pending == null ? MPI.REQUEST_NULL : pending;
    }

    /** How many ranks this group has (MPI_Comm_size). */
    public int getSize() throws MPIException {
        try {
            return state().local().size();
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** As {@link #getSize}. */
    public int Size() throws MPIException {
        return getSize();
    }

    /** This process's rank (MPI_Comm_rank). */
    public int getRank() throws MPIException {
        try {
            return state().local().rank();
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** As {@link #getRank}. */
    public int Rank() throws MPIException {
        return getRank();
    }

    /** IDENT, CONGRUENT, SIMILAR or UNEQUAL (MPI_Comm_compare). */
    public static int compare(Comm comm1, Comm comm2) throws MPIException {
        try {
            return of(comm1).compare(of(comm2));
        } catch (RuntimeException failed) {
            throw raiseOf(comm1, failed);
        }
    }

    /** As {@link #compare}. */
    public static int Compare(Comm comm1, Comm comm2) throws MPIException {
        return compare(comm1, comm2);
    }

    /** Whether it is no communicator, or was freed. */
    public boolean isNull() {
        return !isBound();
    }

    /** As {@link #isNull}, as mpiJava's specification has it. */
    public boolean Is_null() throws MPIException {
        return isNull();
    }

    /** Sets its hints, of which none has an effect (MPI_Comm_set_info). */
    public void setInfo(Info info) throws MPIException {
        try {
            state().info = Info.given(info).copy();
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** A copy of its hints (MPI_Comm_get_info). */
    public Info getInfo() throws MPIException {
        try {
            return state().info.copy();
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /**
     * As {@link #free}, once all ranks of both groups call it. Processes that have no communicator
     * in common any more do not depend on each other (MPI_Comm_disconnect).
     */
    public void disconnect() throws MPIException {
        try {
            checkNotPredefined(state());
            state().awaitAll();
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
        free();
    }

    /** Makes it no communicator; a collective call (MPI_Comm_free). */
    @Override
    public void free() throws MPIException {
        try {
            CommState was = state();
            checkNotPredefined(was);
            bind(null);
            was.leave();
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    private void checkNotPredefined(CommState was) {
        if (equals(MPI.COMM_WORLD) || equals(MPI.COMM_SELF)) {
            throw new MPIException(ErrorClass.COMM, was.name + " cannot be freed");
        }
    }

    /** As {@link #free}. */
    public void Free() throws MPIException {
        free();
    }

    /** Its ranks, of this group (MPI_Comm_group). */
    public Group getGroup() throws MPIException {
        try {
            return new Group(state().localGroup().members());
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** As {@link #getGroup}. */
    public Group Group() throws MPIException {
        return getGroup();
    }

    /** Whether it is an intercommunicator (MPI_Comm_test_inter). */
    public boolean isInter() throws MPIException {
        try {
            return state().isInter();
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** As {@link #isInter}. */
    public boolean Test_inter() throws MPIException {
        return isInter();
    }

    /** A key for attributes of communicators (MPI_Comm_create_keyval). */
    public static int createKeyval() throws MPIException {
        return Attributes.createKey(Attributes.Holder.COMMUNICATOR);
    }

    /** Gives a key back (MPI_Comm_free_keyval). */
    public static void freeKeyval(int keyval) throws MPIException {
        try {
            CommState.checkNotPredefined(keyval);
            Attributes.freeKey(Attributes.Holder.COMMUNICATOR, keyval);
        } catch (RuntimeException failed) {
            throw Errors.raise(failed);
        }
    }

    /** Sets an attribute (MPI_Comm_set_attr). */
    public void setAttr(int keyval, Object value) throws MPIException {
        try {
            CommState.checkNotPredefined(keyval);
            state().attributes.set(keyval, value);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** An attribute, null when it was not set; MPI's own are integers (MPI_Comm_get_attr). */
    public @Nullable Object getAttr(int keyval) throws MPIException {
        try {
            return state().attribute(keyval);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** As {@link #getAttr}. */
    public @Nullable Object Attr_get(int keyval) throws MPIException {
        return getAttr(keyval);
    }

    /** Removes an attribute (MPI_Comm_delete_attr). */
    public void deleteAttr(int keyval) throws MPIException {
        try {
            CommState.checkNotPredefined(keyval);
            state().attributes.delete(keyval);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** As {@link #deleteAttr}. */
    public void Attr_delete(int keyval) throws MPIException {
        deleteAttr(keyval);
    }

    /** CART, GRAPH, DIST_GRAPH, or UNDEFINED for no topology (MPI_Topo_test). */
    public int getTopology() throws MPIException {
        try {
            CommState _ = state();
            Topology known = topology();
            return known == null ? MPI.UNDEFINED : known.kind();
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** As {@link #getTopology}. */
    public int Topo_test() throws MPIException {
        return getTopology();
    }

    /** Ends all ranks of the job with this exit code (MPI_Abort). */
    public void abort(int errorcode) throws MPIException {
        Environment.current().abort(errorcode, "MPI abort with code " + errorcode);
    }

    /** As {@link #abort}. */
    public void Abort(int errorcode) throws MPIException {
        abort(errorcode);
    }

    /** Sets what happens after an error (MPI_Comm_set_errhandler). */
    public void setErrhandler(Errhandler errhandler) throws MPIException {
        try {
            state().handler = java.util.Objects.requireNonNull(errhandler, "errhandler");
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** What happens after an error (MPI_Comm_get_errhandler). */
    public Errhandler getErrhandler() throws MPIException {
        try {
            return state().handler;
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Sets what happens after an error, as mpiJava's specification has it. */
    public void Errhandler_set(Errhandler errhandler) throws MPIException {
        setErrhandler(errhandler);
    }

    /** What happens after an error, as mpiJava's specification has it. */
    public Errhandler Errhandler_get() throws MPIException {
        return getErrhandler();
    }

    /** Does what the error handler does: ends the job, or nothing (MPI_Comm_call_errhandler). */
    public void callErrhandler(int errorCode) throws MPIException {
        try {
            if (state().handler.isFatal()) {
                throw new MPIException(ErrorClass.of(errorCode), "the program reports the error");
            }
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Names it (MPI_Comm_set_name). */
    public void setName(String name) throws MPIException {
        try {
            state().name = name.substring(0, Math.min(name.length(), MPI.MAX_OBJECT_NAME - 1));
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Its name, empty for none (MPI_Comm_get_name). */
    public String getName() throws MPIException {
        try {
            return state().name;
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /**
     * Makes an intercommunicator; this one has both leaders in it (MPI_Intercomm_create).
     *
     * @param localComm the ranks of this group
     * @param localLeader the leader's rank in it
     * @param remoteLeader at the leader, the other leader's rank in this communicator
     */
    public Intercomm createIntercomm(Comm localComm, int localLeader, int remoteLeader, int tag)
            throws MPIException {
        try {
            return Intercomm.create(this, localComm, localLeader, remoteLeader, tag);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** As {@link #createIntercomm}. */
    public Intercomm Create_intercomm(Comm local_comm, int local_leader, int remote_leader, int tag)
            throws MPIException {
        return createIntercomm(local_comm, local_leader, remote_leader, tag);
    }
}

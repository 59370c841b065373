package mpi;

import org.madcast.client.MessageStatus;

/** What a call received (MPI_Status). */
public final class Status implements Freeable {

    /** The sender's rank. */
    public int source;

    /** The message's tag. */
    public int tag;

    /** The place in an array of requests. */
    public int index;

    private int error;
    private long bytes;
    private boolean cancelled;
    private int objects = -1;

    /** How many basic elements a program says that there are; -1 when none has. */
    private long given = -1;

    /** An empty status. */
    public Status() {
        this(MPI.ANY_SOURCE, MPI.ANY_TAG, 0);
    }

    Status(int source, int tag, long bytes) {
        this.source = source;
        this.tag = tag;
        this.bytes = bytes;
        this.index = MPI.UNDEFINED;
    }

    /** Of a receive from PROC_NULL. */
    static Status ofNoProcess() {
        return new Status(MPI.PROC_NULL, MPI.ANY_TAG, 0);
    }

    /** Of a message of this communicator. */
    static Status of(CommState comm, MessageStatus got) {
        if (got.cancelled()) {
            Status status = new Status();
            status.cancelled = true;
            return status;
        }
        return new Status(comm.peer(got.source()), got.tag(), got.bytes());
    }

    /** Where no request is active. */
    static Status ofNone() {
        return new Status();
    }

    Status at(int place) {
        index = place;
        return this;
    }

    /** Notes how many objects a message of type OBJECT had. */
    Status objects(int count) {
        objects = count;
        return this;
    }

    Status error(MPIException failed) {
        error = failed.getErrorClass();
        return this;
    }

    /** The message's length. */
    long bytes() {
        return bytes;
    }

    /** How many elements of this type came, UNDEFINED when they are not whole (MPI_Get_count). */
    public int getCount(Datatype datatype) throws MPIException {
        try {
            Datatype type = Datatype.given(datatype);
            long elements = objects >= 0 ? objects : given;
            if (elements < 0) {
                return asInt(type.wholeElements(bytes));
            }
            long each = type.map().elements().count();
            if (each == 0) {
                return elements == 0 ? 0 : MPI.UNDEFINED;
            }
            return elements % each == 0 ? asInt(elements / each) : MPI.UNDEFINED;
        } catch (RuntimeException failed) {
            throw Errors.raise(failed);
        }
    }

    /** As {@link #getCount}. */
    public int Get_count(Datatype datatype) throws MPIException {
        return getCount(datatype);
    }

    /** How many elements of basic types came (MPI_Get_elements). */
    public int getElements(Datatype datatype) throws MPIException {
        try {
            return asInt(elements(datatype));
        } catch (RuntimeException failed) {
            throw Errors.raise(failed);
        }
    }

    /** As {@link #getElements}. */
    public int Get_elements(Datatype datatype) throws MPIException {
        return getElements(datatype);
    }

    /** As {@link #getElements}, for more than an {@code int} holds (MPI_Get_elements_x). */
    public Count getElementsX(Datatype datatype) throws MPIException {
        try {
            return new Count(elements(datatype));
        } catch (RuntimeException failed) {
            throw Errors.raise(failed);
        }
    }

    private long elements(Datatype datatype) {
        Datatype type = Datatype.given(datatype);
        if (given >= 0) {
            return given;
        }
        return objects >= 0 ? objects : type.basicElements(bytes);
    }

    private static int asInt(long number) {
        return number < 0 || number > Integer.MAX_VALUE ? MPI.UNDEFINED : (int) number;
    }

    /** Sets how many elements came (MPI_Status_set_elements). */
    public void setElements(Datatype datatype, int count) throws MPIException {
        setElementsX(datatype, new Count(count));
    }

    /** As {@link #setElements} (MPI_Status_set_elements_x). */
    public void setElementsX(Datatype datatype, Count count) throws MPIException {
        try {
            if (count.getCount() < 0) {
                throw new MPIException(
                        ErrorClass.COUNT, "the count " + count.getCount() + " is negative");
            }
            var _ = Datatype.given(datatype);
            given = count.getCount();
            objects = -1;
        } catch (RuntimeException failed) {
            throw Errors.raise(failed);
        }
    }

    /** Whether the call was cancelled (MPI_Test_cancelled). */
    public boolean isCancelled() throws MPIException {
        return cancelled;
    }

    /** As {@link #isCancelled}. */
    public boolean Test_cancelled() throws MPIException {
        return cancelled;
    }

    /** Sets whether the call was cancelled (MPI_Status_set_cancelled). */
    public void setCancelled(boolean flag) throws MPIException {
        cancelled = flag;
    }

    /** The sender's rank. */
    public int getSource() {
        return source;
    }

    /** The message's tag. */
    public int getTag() {
        return tag;
    }

    /** The error class of the call, SUCCESS for none. */
    public int getError() {
        return error;
    }

    /** The place of the request in the array that was waited for. */
    public int getIndex() {
        return index;
    }

    /** Does nothing; mpiJava's programs call it. */
    @Override
    public void free() {}
}

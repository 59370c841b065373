package mpi;

import java.nio.Buffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.madcast.client.ArrivedMessage;

/** A message that a matched probe has taken out: no other receive gets it (MPI_Message). */
public final class Message {

    private @Nullable CommState comm;

    /** Null while it is no message, or that of PROC_NULL. */
    private @Nullable ArrivedMessage arrived;

    private @Nullable CommHandle handle;
    private boolean noProcess;

    /** No message (MPI_MESSAGE_NULL). */
    public Message() {}

    /** Whether it is no message, or has been received. */
    public boolean isNull() {
        return arrived == null && !noProcess;
    }

    /** Whether it is that of a probe of PROC_NULL (MPI_MESSAGE_NO_PROC). */
    public boolean isNoProc() {
        return noProcess;
    }

    /** Waits for a message and takes it out (MPI_Mprobe). */
    public Status mProbe(int source, int tag, Comm comm) throws MPIException {
        try {
            return source == MPI.PROC_NULL
                    ? ofNoProcess(comm)
                    : take(comm, given(comm).takeMessage(source, tag));
        } catch (RuntimeException failed) {
            throw CommHandle.raiseOf(comm, failed);
        }
    }

    /** Takes out the message that a receive would get now; null for none (MPI_Improbe). */
    public @Nullable Status imProbe(int source, int tag, Comm comm) throws MPIException {
        try {
            if (source == MPI.PROC_NULL) {
                return ofNoProcess(comm);
            }
            Optional<ArrivedMessage> found = given(comm).takeMessageNow(source, tag);
            return found.isPresent() ? take(comm, found.get()) : null;
        } catch (RuntimeException failed) {
            throw CommHandle.raiseOf(comm, failed);
        }
    }

    private static Comm given(Comm comm) {
        var _ = CommHandle.of(comm);
        return comm;
    }

    private Status ofNoProcess(Comm of) {
        comm = given(of).state();
        handle = of;
        arrived = null;
        noProcess = true;
        return Status.ofNoProcess();
    }

    private Status take(Comm of, ArrivedMessage found) {
        comm = given(of).state();
        handle = of;
        arrived = found;
        noProcess = false;
        return Status.of(comm, found.status());
    }

    /** Receives it; it is no message then (MPI_Mrecv). */
    public Status mRecv(Object buf, int count, Datatype type) throws MPIException {
        try {
            return receive(buf, count, type).join();
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Begins to receive it; it is no message then (MPI_Imrecv). */
    public Request imRecv(Buffer buf, int count, Datatype type) throws MPIException {
        try {
            return new Request(handle, receive(CommTransfers.direct(buf), count, type));
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    private MPIException raise(RuntimeException failed) {
        return handle == null ? Errors.raise(failed) : handle.raise(failed);
    }

    private Operation receive(@Nullable Object buf, int count, Datatype type) {
        CommState from = comm;
        if (from == null || isNull()) {
            throw new MPIException(
                    ErrorClass.REQUEST, "the message is null: probe for one before receiving it");
        }
        Payload payload = Payload.toReceive(buf, 0, count, type);
        ArrivedMessage message = arrived;
        arrived = null;
        noProcess = false;
        if (message == null) {
            return Operation.done(Status.ofNoProcess());
        }
        var memory =
                payload.sizedByMessage()
                        ? payload.memoryFor(message.status().bytes())
                        : payload.memory();
        return Operation.of(
                from, message.irecv(memory), got -> CommTransfers.received(from, payload, got));
    }
}

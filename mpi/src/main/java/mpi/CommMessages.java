package mpi;

import java.nio.Buffer;
import org.jspecify.annotations.Nullable;

/**
 * Point-to-point communication by the names of Open MPI's API. A buffer of a blocking call is an
 * array or an NIO buffer, which is used from its index 0 on, whatever its position and limit; that
 * of a non-blocking or persistent one is a direct NIO buffer.
 */
abstract class CommMessages extends CommTransfers {

    CommMessages(@Nullable CommState state) {
        super(state);
    }

    /** Sends a message; the buffer may be used again when it returns (MPI_Send). */
    public void send(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        try {
            sendNow(Mode.STANDARD, buf, 0, count, type, dest, tag);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Sends a message by way of the attached buffer (MPI_Bsend). */
    public void bSend(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        try {
            sendNow(Mode.BUFFERED, buf, 0, count, type, dest, tag);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Sends a message and returns when a receive has matched it (MPI_Ssend). */
    public void sSend(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        try {
            sendNow(Mode.SYNCHRONOUS, buf, 0, count, type, dest, tag);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Sends a message whose receive is posted already (MPI_Rsend). */
    public void rSend(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        try {
            sendNow(Mode.READY, buf, 0, count, type, dest, tag);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Receives a message (MPI_Recv). */
    public Status recv(Object buf, int count, Datatype type, int source, int tag)
            throws MPIException {
        try {
            return receiveNow(buf, 0, count, type, source, tag);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Sends and receives at once (MPI_Sendrecv). */
    public Status sendRecv(
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            int dest,
            int sendtag,
            Object recvbuf,
            int recvcount,
            Datatype recvtype,
            int source,
            int recvtag)
            throws MPIException {
        try {
            Mode mode =
                    mayOverlap(sendbuf, recvbuf)
                            ? besides(
                                    Payload.toSend(sendbuf, 0, sendcount, sendtype),
                                    Payload.toReceive(recvbuf, 0, recvcount, recvtype))
                            : Mode.STANDARD;
            return exchange(
                    sender(mode, sendbuf, 0, sendcount, sendtype, dest, sendtag),
                    receiver(recvbuf, 0, recvcount, recvtype, source, recvtag));
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Sends a message and replaces it by the one received (MPI_Sendrecv_replace). */
    public Status sendRecvReplace(
            Object buf, int count, Datatype type, int dest, int sendtag, int source, int recvtag)
            throws MPIException {
        try {
            return exchangeInPlace(buf, 0, count, type, dest, sendtag, source, recvtag);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Begins to send (MPI_Isend). */
    public Request iSend(Buffer buf, int count, Datatype type, int dest, int tag)
            throws MPIException {
        try {
            return begin(sender(Mode.STANDARD, direct(buf), 0, count, type, dest, tag));
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Begins to send by way of the attached buffer (MPI_Ibsend). */
    public Request ibSend(Buffer buf, int count, Datatype type, int dest, int tag)
            throws MPIException {
        try {
            return begin(sender(Mode.BUFFERED, direct(buf), 0, count, type, dest, tag));
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Begins to send; ends when a receive has matched the message (MPI_Issend). */
    public Request isSend(Buffer buf, int count, Datatype type, int dest, int tag)
            throws MPIException {
        try {
            return begin(sender(Mode.SYNCHRONOUS, direct(buf), 0, count, type, dest, tag));
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Begins to send a message whose receive is posted already (MPI_Irsend). */
    public Request irSend(Buffer buf, int count, Datatype type, int dest, int tag)
            throws MPIException {
        try {
            return begin(sender(Mode.READY, direct(buf), 0, count, type, dest, tag));
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Begins to receive (MPI_Irecv). */
    public Request iRecv(Buffer buf, int count, Datatype type, int source, int tag)
            throws MPIException {
        try {
            return begin(receiver(direct(buf), 0, count, type, source, tag));
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** A persistent request to send, standard (MPI_Send_init). */
    public Prequest sendInit(Buffer buf, int count, Datatype type, int dest, int tag)
            throws MPIException {
        try {
            return prepare(sender(Mode.STANDARD, direct(buf), 0, count, type, dest, tag));
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** A persistent request to send, buffered (MPI_Bsend_init). */
    public Prequest bSendInit(Buffer buf, int count, Datatype type, int dest, int tag)
            throws MPIException {
        try {
            return prepare(sender(Mode.BUFFERED, direct(buf), 0, count, type, dest, tag));
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** A persistent request to send, synchronous (MPI_Ssend_init). */
    public Prequest sSendInit(Buffer buf, int count, Datatype type, int dest, int tag)
            throws MPIException {
        try {
            return prepare(sender(Mode.SYNCHRONOUS, direct(buf), 0, count, type, dest, tag));
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** A persistent request to send, ready (MPI_Rsend_init). */
    public Prequest rSendInit(Buffer buf, int count, Datatype type, int dest, int tag)
            throws MPIException {
        try {
            return prepare(sender(Mode.READY, direct(buf), 0, count, type, dest, tag));
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** A persistent request to receive (MPI_Recv_init). */
    public Prequest recvInit(Buffer buf, int count, Datatype type, int source, int tag)
            throws MPIException {
        try {
            return prepare(receiver(direct(buf), 0, count, type, source, tag));
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Waits for a message, which stays to be received (MPI_Probe). */
    public Status probe(int source, int tag) throws MPIException {
        try {
            return awaitMessage(source, tag);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** The message that a receive would get now, null for none (MPI_Iprobe). */
    public @Nullable Status iProbe(int source, int tag) throws MPIException {
        try {
            return lookForMessage(source, tag);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }
}

package mpi;

import org.jspecify.annotations.Nullable;

/**
 * Point-to-point communication by the names of mpiJava's API. A buffer is an array and an offset in
 * elements of it, or of the base type.
 */
abstract class CommMpiJavaMessages extends CommMessages {

    CommMpiJavaMessages(@Nullable CommState state) {
        super(state);
    }

    /** Sends a message; the buffer may be used again when it returns (MPI_Send). */
    public void Send(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        try {
            sendNow(Mode.STANDARD, buf, offset, count, datatype, dest, tag);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Sends a message by way of the attached buffer (MPI_Bsend). */
    public void Bsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        try {
            sendNow(Mode.BUFFERED, buf, offset, count, datatype, dest, tag);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Sends a message and returns when a receive has matched it (MPI_Ssend). */
    public void Ssend(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        try {
            sendNow(Mode.SYNCHRONOUS, buf, offset, count, datatype, dest, tag);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Sends a message whose receive is posted already (MPI_Rsend). */
    public void Rsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        try {
            sendNow(Mode.READY, buf, offset, count, datatype, dest, tag);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Begins to send (MPI_Isend). */
    public Request Isend(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        try {
            return begin(sender(Mode.STANDARD, buf, offset, count, datatype, dest, tag));
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Begins to send by way of the attached buffer (MPI_Ibsend). */
    public Request Ibsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        try {
            return begin(sender(Mode.BUFFERED, buf, offset, count, datatype, dest, tag));
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Begins to send; ends when a receive has matched the message (MPI_Issend). */
    public Request Issend(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        try {
            return begin(sender(Mode.SYNCHRONOUS, buf, offset, count, datatype, dest, tag));
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Begins to send a message whose receive is posted already (MPI_Irsend). */
    public Request Irsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        try {
            return begin(sender(Mode.READY, buf, offset, count, datatype, dest, tag));
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Receives a message (MPI_Recv). */
    public Status Recv(Object buf, int offset, int count, Datatype datatype, int source, int tag)
            throws MPIException {
        try {
            return receiveNow(buf, offset, count, datatype, source, tag);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Begins to receive (MPI_Irecv). */
    public Request Irecv(Object buf, int offset, int count, Datatype datatype, int src, int tag)
            throws MPIException {
        try {
            return begin(receiver(buf, offset, count, datatype, src, tag));
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Waits for a message, which stays to be received (MPI_Probe). */
    public Status Probe(int source, int tag) throws MPIException {
        try {
            return awaitMessage(source, tag);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** The message that a receive would get now, null for none (MPI_Iprobe). */
    public @Nullable Status Iprobe(int source, int tag) throws MPIException {
        try {
            return lookForMessage(source, tag);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** A persistent request to send, standard (MPI_Send_init). */
    public Prequest Send_init(
            Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        try {
            return prepare(sender(Mode.STANDARD, buf, offset, count, datatype, dest, tag));
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** A persistent request to send, buffered (MPI_Bsend_init). */
    public Prequest Bsend_init(
            Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        try {
            return prepare(sender(Mode.BUFFERED, buf, offset, count, datatype, dest, tag));
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** A persistent request to send, synchronous (MPI_Ssend_init). */
    public Prequest Ssend_init(
            Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        try {
            return prepare(sender(Mode.SYNCHRONOUS, buf, offset, count, datatype, dest, tag));
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** A persistent request to send, ready (MPI_Rsend_init). */
    public Prequest Rsend_init(
            Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        try {
            return prepare(sender(Mode.READY, buf, offset, count, datatype, dest, tag));
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** A persistent request to receive; dest is the sender (MPI_Recv_init). */
    public Prequest Recv_init(
            Object buf, int offset, int count, Datatype datatype, int dest, int tag)
            throws MPIException {
        try {
            return prepare(receiver(buf, offset, count, datatype, dest, tag));
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Sends and receives at once (MPI_Sendrecv). */
    public Status Sendrecv(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            int dest,
            int sendtag,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype,
            int source,
            int recvtag)
            throws MPIException {
        try {
            Mode mode =
                    mayOverlap(sendbuf, recvbuf)
                            ? besides(
                                    Payload.toSend(sendbuf, sendoffset, sendcount, sendtype),
                                    Payload.toReceive(recvbuf, recvoffset, recvcount, recvtype))
                            : Mode.STANDARD;
            return exchange(
                    sender(mode, sendbuf, sendoffset, sendcount, sendtype, dest, sendtag),
                    receiver(recvbuf, recvoffset, recvcount, recvtype, source, recvtag));
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Sends a message and replaces it by the one received (MPI_Sendrecv_replace). */
    public Status Sendrecv_replace(
            Object buf,
            int offset,
            int count,
            Datatype datatype,
            int dest,
            int sendtag,
            int source,
            int recvtag)
            throws MPIException {
        try {
            return exchangeInPlace(buf, offset, count, datatype, dest, sendtag, source, recvtag);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }
}

package mpi;

import java.lang.foreign.MemorySegment;
import java.nio.Buffer;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.madcast.client.ArrivedMessage;
import org.madcast.client.Communicator;
import org.madcast.client.MessageStatus;

/** Point-to-point communication, by whichever name a program calls it. */
abstract class CommTransfers extends CommHandle {

    /** MPI's four ways to send. */
    enum Mode {
        STANDARD,
        SYNCHRONOUS,
        BUFFERED,
        /** The receive is posted already, which this library has no use for. */
        READY,
        /** Standard, of a copy that is made at once: the memory is received into meanwhile. */
        COPIED
    }

    CommTransfers(@Nullable CommState state) {
        super(state);
    }

    static void checkTag(int tag) {
        if (tag < 0) {
            throw new MPIException(
                    ErrorClass.TAG, "tag " + tag + " is outside 0 to " + Integer.MAX_VALUE);
        }
    }

    private static void checkTagOrAny(int tag) {
        if (tag != MPI.ANY_TAG) {
            checkTag(tag);
        }
    }

    /**
     * Non-blocking calls of Open MPI's API refuse what is not a direct buffer. Null is one of which
     * nothing is used, or is refused where it is used.
     */
    static @Nullable Buffer direct(@Nullable Buffer buffer) {
        if (buffer != null && !buffer.isDirect()) {
            throw new MPIException(
                    ErrorClass.BUFFER,
                    "a non-blocking call needs a direct buffer, as MPI.newByteBuffer, newIntBuffer"
                            + " and so on make it");
        }
        return buffer;
    }

    final void sendNow(
            Mode mode, Object buf, int offset, int count, Datatype type, int dest, int tag) {
        CommState comm = state();
        checkTag(tag);
        MemorySegment block = Payload.block(buf, offset, count, type);
        MemorySegment memory =
                block == null ? Payload.toSend(buf, offset, count, type).memory() : block;
        if (dest == MPI.PROC_NULL) {
            return;
        }
        int to = comm.inAll("destination", dest);
        switch (mode) {
            case STANDARD, READY, COPIED -> comm.all().send(memory, to, tag);
            case SYNCHRONOUS -> comm.all().ssend(memory, to, tag);
            case BUFFERED -> AttachedBuffer.send(comm.all(), memory, to, tag);
        }
    }

    final Status receiveNow(Object buf, int offset, int count, Datatype type, int source, int tag) {
        CommState comm = state();
        checkTagOrAny(tag);
        int from = source == MPI.PROC_NULL ? source : comm.sourceInAll(source);
        MemorySegment block = Payload.block(buf, offset, count, type);
        if (block != null && !block.isReadOnly() && from != MPI.PROC_NULL) {
            return Status.of(comm, comm.all().recv(block, from, tag));
        }
        Payload payload = Payload.toReceive(buf, offset, count, type);
        if (from == MPI.PROC_NULL) {
            return Status.ofNoProcess();
        }
        if (payload.sizedByMessage()) {
            return received(comm, payload, irecv(comm.all(), payload, from, tag).join());
        }
        return received(comm, payload, comm.all().recv(payload.memory(), from, tag));
    }

    private static CompletableFuture<MessageStatus> irecv(
            Communicator all, Payload payload, int from, int tag) {
        return payload.sizedByMessage()
                ? all.irecv(payload::memoryFor, from, tag)
                : all.irecv(payload.memory(), from, tag);
    }

    /** Stores what has arrived; {@code result} is what the receive's future ended with. */
    static Status received(CommState comm, Payload payload, @Nullable Object result) {
        MessageStatus got = (MessageStatus) Objects.requireNonNull(result);
        Status status = Status.of(comm, got);
        if (!got.cancelled()) {
            payload.arrived(got.bytes());
            status.objects(payload.objects());
        }
        return status;
    }

    /** A send that begins each time that it is asked to. */
    final Operation.Starter sender(
            Mode mode,
            @Nullable Object buf,
            int offset,
            int count,
            Datatype type,
            int dest,
            int tag) {
        CommState comm = state();
        checkTag(tag);
        int to = dest == MPI.PROC_NULL ? dest : comm.inAll("destination", dest);
        Payload checked = Payload.toSend(buf, offset, count, type);
        MemorySegment copy = mode == Mode.COPIED ? AttachedBuffer.copy(checked.memory()) : null;
        return () -> {
            if (to == MPI.PROC_NULL) {
                return Operation.done(Status.ofNoProcess());
            }
            Payload payload = Payload.toSend(buf, offset, count, type);
            CompletableFuture<MessageStatus> future =
                    switch (mode) {
                        case STANDARD, READY -> comm.all().isend(payload.memory(), to, tag);
                        case COPIED -> comm.all().isend(Objects.requireNonNull(copy), to, tag);
                        case SYNCHRONOUS -> comm.all().issend(payload.memory(), to, tag);
                        case BUFFERED -> {
                            AttachedBuffer.send(comm.all(), payload.memory(), to, tag);
                            yield CompletableFuture.completedFuture(
                                    new MessageStatus(to, tag, 0, false));
                        }
                    };
            return Operation.of(comm, future, _ -> new Status());
        };
    }

    /** A receive that begins each time that it is asked to. */
    final Operation.Starter receiver(
            @Nullable Object buf, int offset, int count, Datatype type, int source, int tag) {
        CommState comm = state();
        checkTagOrAny(tag);
        int from = source == MPI.PROC_NULL ? source : comm.sourceInAll(source);
        Payload _ = Payload.toReceive(buf, offset, count, type);
        return () -> {
            if (from == MPI.PROC_NULL) {
                return Operation.done(Status.ofNoProcess());
            }
            Payload payload = Payload.toReceive(buf, offset, count, type);
            return Operation.of(
                    comm,
                    irecv(comm.all(), payload, from, tag),
                    got -> received(comm, payload, got));
        };
    }

    final Request begin(Operation.Starter starter) {
        return new Request(this, starter.begin());
    }

    final Prequest prepare(Operation.Starter starter) {
        return new Prequest(this, starter);
    }

    /**
     * How what is sent goes while something is received: as a copy where both are in the same
     * memory, which MPI forbids and programs do.
     */
    static Mode besides(Payload sent, Payload received) {
        return sent.overlaps(received) ? Mode.COPIED : Mode.STANDARD;
    }

    /** Whether two buffers can have memory in common. */
    @SuppressWarnings("ReferenceEquality") // the same buffer, not one of equal contents
    static boolean mayOverlap(@Nullable Object one, @Nullable Object other) {
        return one != null && (one == other || (one instanceof Buffer && other instanceof Buffer));
    }

    /** Sends and receives at once. */
    final Status exchange(Operation.Starter send, Operation.Starter receive) {
        Operation receiving = receive.begin();
        Operation sending = send.begin();
        Status status = receiving.join();
        Status _ = sending.join();
        return status;
    }

    final Status exchangeInPlace(
            Object buf,
            int offset,
            int count,
            Datatype type,
            int dest,
            int sendtag,
            int source,
            int recvtag) {
        CommState comm = state();
        checkTag(sendtag);
        checkTagOrAny(recvtag);
        if (source != MPI.PROC_NULL) {
            int _ = comm.sourceInAll(source);
        }
        CompletableFuture<MessageStatus> sent = null;
        if (dest != MPI.PROC_NULL) {
            int to = comm.inAll("destination", dest);
            MemorySegment memory = Payload.toSend(buf, offset, count, type).memory();
            sent = comm.all().isend(AttachedBuffer.copy(memory), to, sendtag);
        }
        Status status = receiveNow(buf, offset, count, type, source, recvtag);
        if (sent != null) {
            MessageStatus _ = sent.join();
        }
        return status;
    }

    final Status awaitMessage(int source, int tag) {
        CommState comm = state();
        checkTagOrAny(tag);
        return source == MPI.PROC_NULL
                ? Status.ofNoProcess()
                : Status.of(comm, comm.all().probe(comm.sourceInAll(source), tag));
    }

    final ArrivedMessage takeMessage(int source, int tag) {
        CommState comm = state();
        checkTagOrAny(tag);
        return comm.all().mprobe(comm.sourceInAll(source), tag);
    }

    final Optional<ArrivedMessage> takeMessageNow(int source, int tag) {
        CommState comm = state();
        checkTagOrAny(tag);
        int from = comm.sourceInAll(source);
        Optional<ArrivedMessage> found = comm.all().improbe(from, tag);
        if (found.isEmpty()) {
            comm.all().poll();
            found = comm.all().improbe(from, tag);
            letOthersRunUnless(found.isPresent());
        }
        return found;
    }

    private static void letOthersRunUnless(boolean found) {
        if (!found) {
            Operation.letOthersRun();
        }
    }

    final @Nullable Status lookForMessage(int source, int tag) {
        CommState comm = state();
        checkTagOrAny(tag);
        if (source == MPI.PROC_NULL) {
            return Status.ofNoProcess();
        }
        int from = comm.sourceInAll(source);
        Optional<MessageStatus> found = comm.all().iprobe(from, tag);
        if (found.isEmpty()) {
            comm.all().poll();
            found = comm.all().iprobe(from, tag);
            letOthersRunUnless(found.isPresent());
        }
        return found.map(it -> Status.of(comm, it)).orElse(null);
    }
}

package mpi;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Communicator;

/**
 * The buffer that the program attached for buffered sends. It counts what the sends need; their
 * bytes are kept in memory of their own, so that no space is lost between them.
 */
final class AttachedBuffer {

    private record Pending(CompletableFuture<?> sent, long bytes) {}

    private static @Nullable ByteBuffer attached;
    private static final Deque<Pending> PENDING = new ArrayDeque<>();
    private static long used;

    private AttachedBuffer() {}

    static synchronized void attach(@Nullable ByteBuffer buffer) {
        Environment.check();
        if (buffer == null) {
            throw new MPIException(ErrorClass.BUFFER, "the buffer to attach is null");
        }
        if (attached != null) {
            throw new MPIException(
                    ErrorClass.BUFFER, "a buffer is attached already; detach it first");
        }
        attached = buffer;
    }

    /** Waits until the messages in it have been sent. */
    static ByteBuffer detach() {
        Environment.check();
        ByteBuffer buffer;
        synchronized (AttachedBuffer.class) {
            if (attached == null) {
                throw new MPIException(ErrorClass.BUFFER, "no buffer is attached");
            }
            buffer = attached;
            attached = null;
        }
        flush();
        return buffer;
    }

    /** Waits until all messages have been sent; one to a rank that is lost is gone. */
    static void flush() {
        Pending next = next();
        while (next != null) {
            var _ = next.sent.handle((_, _) -> true).join();
            next = next();
        }
    }

    private static synchronized @Nullable Pending next() {
        Pending next = PENDING.poll();
        if (next != null) {
            used -= next.bytes;
        }
        return next;
    }

    /** Takes the message over and returns. */
    static synchronized void send(Communicator to, MemorySegment memory, int dest, int tag) {
        long bytes = memory.byteSize() + MPI.BSEND_OVERHEAD;
        if (attached == null) {
            throw new MPIException(
                    ErrorClass.BUFFER,
                    "a buffered send needs " + bytes + " bytes, but no buffer is attached");
        }
        int capacity = attached.capacity();
        if (used + bytes > capacity) {
            PENDING.removeIf(it -> {
                boolean done = it.sent.isDone();
                used -= done ? it.bytes : 0;
                return done;
            });
        }
        if (used + bytes > capacity) {
            throw new MPIException(
                    ErrorClass.BUFFER,
                    "a buffered send needs %d bytes; of the attached buffer's %d, %d are in use"
                            .formatted(bytes, capacity, used));
        }
        CompletableFuture<?> sent = to.isend(copy(memory), dest, tag);
        used += bytes;
        PENDING.add(new Pending(sent, bytes));
    }

    /** A copy of a message. */
    static MemorySegment copy(MemorySegment memory) {
        if (memory.byteSize() > Integer.MAX_VALUE - 8) {
            return java.lang.foreign.Arena.ofAuto().allocate(memory.byteSize(), 8).copyFrom(memory);
        }
        return MemorySegment.ofArray(new byte[(int) memory.byteSize()]).copyFrom(memory);
    }
}

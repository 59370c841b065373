package org.madcast.client;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;

/**
 * A message that {@link Messages#mprobe} has taken out: no other receive gets it (MPI_Message). It
 * is received exactly once.
 */
public interface ArrivedMessage {

    /** Its sender, tag and length. */
    MessageStatus status();

    /**
     * Receives it (MPI_Mrecv).
     *
     * @param buffer at least as long as the message; the library's until the call returns
     * @throws MessageTooLongException when the buffer is shorter, and not changed
     * @throws IllegalStateException when it was received before
     */
    MessageStatus recv(MemorySegment buffer);

    /** As {@link #recv}, without waiting (MPI_Imrecv). */
    CompletableFuture<MessageStatus> irecv(MemorySegment buffer);
}

package org.madcast.client;

/**
 * What a receive got (MPI_Status).
 *
 * @param source the sender's rank; -1 when the receive was cancelled
 * @param tag the message's tag; -1 when the receive was cancelled
 * @param bytes the message's length
 * @param cancelled whether the receive was cancelled before a message matched it
 */
public record MessageStatus(int source, int tag, long bytes, boolean cancelled) {}

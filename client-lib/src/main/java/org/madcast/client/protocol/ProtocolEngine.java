package org.madcast.client.protocol;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.madcast.client.wire.Arrival;

/**
 * A state machine over time and bytes. It opens no socket, starts no thread, takes no lock and
 * reads no clock, so the same engine runs on a network and in a simulator. Two drivers exist: the
 * engine loop on real sockets and the simulator of the tests. Not thread-safe; the driver
 * serialises.
 *
 * <p>A driver gives every datagram that arrived before it says that time has passed, then polls
 * transmissions until there are none, then waits for a datagram or for {@link #nextDeadlineNs()}.
 */
public interface ProtocolEngine {

    /** What {@link #nextDeadlineNs()} says when no time is waited for. */
    long NO_DEADLINE = Long.MAX_VALUE;

    /**
     * A datagram arrived, whatever its content.
     *
     * @param nowNs the driver's clock; never goes back
     * @param arrival the datagram, the engine's only during this call
     */
    void onDatagram(long nowNs, Arrival arrival);

    /** How many datagrams were of other communicators or programs. */
    default long foreign() {
        return 0;
    }

    /** The deadline has come, or the driver woke for another reason. */
    void onTimeout(long nowNs);

    /** When {@link #onTimeout} must be called at the latest. */
    long nextDeadlineNs();

    /**
     * How long the driver may leave arriving multicast in the socket, to take it in one go: waking
     * for each datagram of a stream costs a busy host more than the datagrams do. 0: not at all.
     */
    default long coalesceNs(long nowNs) {
        return 0;
    }

    /** The group that the driver is to leave the present one for, returned once; null: none. */
    default @Nullable GroupAddress takeNewGroup() {
        return null;
    }

    /** The driver has joined the group that it was given last; it has left the one before. */
    default void onNewGroupJoined(long nowNs) {}

    /**
     * Writes the next datagram to send.
     *
     * @param out room for the largest datagram
     * @param slot receives the destination
     * @return the datagram's length in bytes; 0 when there is nothing to send now
     */
    int pollTransmit(long nowNs, MemorySegment out, TransmitSlot slot);

    /**
     * Writes the next datagram that goes by the reliable way: whatever was polled here arrives, by
     * {@link #onDatagram}, complete and in order, or the rank that it is for is lost. The driver
     * polls while that way has room, and {@link #pollTransmit} again after each.
     *
     * @param out room for the largest datagram
     * @param slot receives the destination, a rank
     * @return the datagram's length in bytes; 0 when there is nothing to send now
     */
    default int pollReliable(long nowNs, MemorySegment out, TransmitSlot slot) {
        return 0;
    }

    /** Whether {@link #onQueue} would be of use: to find out costs the driver a system call. */
    default boolean wantsQueue() {
        return false;
    }

    /**
     * The driver polls no further for now.
     *
     * @param queuedBytes of what was polled, so much has not left this host; 0 when that is not
     *     known
     */
    default void onQueue(long nowNs, int queuedBytes) {}
}

package org.madcast.client.io;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.madcast.client.wire.Arrival;

/**
 * The two sockets of a rank: one bound to the multicast group, one for everything unicast. One
 * thread at a time receives and sends, one waits, perhaps another, and any wakes.
 */
public interface DatagramTransport extends AutoCloseable {

    /** The name of the implementation, {@code nio} or {@code native}. */
    String name();

    /** Where this rank's unicast datagrams arrive. */
    InetSocketAddress localAddress();

    /** What the kernel granted the group's socket, in bytes as it counts them. */
    int receiveBufferBytes();

    /** Tells the ranks' endpoints, by rank; before the first send. */
    void peers(List<InetSocketAddress> endpoints, int self);

    /**
     * Leaves the group for another one: from the return on, what is sent to the group goes there
     * and what arrives comes from there; what had arrived from the old one and was not taken is
     * lost. Not while another thread is in a call, but for {@link #wakeup}.
     *
     * @throws IOException when the other group cannot be joined; then this rank is in none
     */
    void regroup(InetSocketAddress group) throws IOException;

    /**
     * Takes one datagram off the sockets, the group's first, without waiting.
     *
     * @return it, valid until the next call; empty for one that was {@link #refused} here, so that
     *     the caller decides how many of them are looked at in one go; null when there is none
     */
    @Nullable Arrival receive() throws IOException;

    /** Who sent the datagram that {@link #receive} gave last; null where that is not known. */
    default @Nullable InetSocketAddress lastSender() {
        return null;
    }

    /** The most bytes of datagrams of this length that one {@link #send} takes with advantage. */
    int batchBytes(int datagramBytes);

    /** How many arriving datagrams were dropped because they could not be authentic. */
    default long refused() {
        return 0;
    }

    /** How many of those came to the group's socket. */
    default long refusedOfGroup() {
        return 0;
    }

    /**
     * Sends datagrams that lie one behind the other. What the system refuses for another reason
     * than a full buffer (a firewall, a missing route) is lost here, as if in the network.
     *
     * @param datagrams native memory, the caller's again when the call returns
     * @param datagramBytes the length of every datagram but the last, which may be shorter
     * @param destination a rank, or -1 for the group
     * @return how many bytes are done with; less than all when the socket's buffer is full: {@link
     *     #await} with {@code wantWrite}, then send the rest
     */
    int send(MemorySegment datagrams, int datagramBytes, int destination);

    /** How many bytes of what was sent still lie in the kernel; 0 where that is not known. */
    default int queuedBytes() {
        return 0;
    }

    /**
     * Waits for a datagram, for room to send when wanted, for a wake-up, or for the time.
     *
     * @param timeoutNs how long at most
     * @param coalesceNs when positive: how long the group's datagrams may gather first
     */
    void await(long timeoutNs, long coalesceNs, boolean wantWrite) throws IOException;

    /**
     * Looks without waiting; where a thread polls this stands for {@link #await}.
     *
     * @return whether something has come, or a wait would have been ended by {@link #wakeup}
     */
    boolean poll() throws IOException;

    /** What a loop's thread waits for, made anew; the caller closes it before this transport. */
    default TakeOver takeOver() {
        return TakeOver.portable();
    }

    /** Ends a wait that is going on, or the next one. Any thread. */
    void wakeup();

    /** Closes both sockets. Not while another thread is in a call, but for {@link #wakeup}. */
    @Override
    void close();
}

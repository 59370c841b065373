package org.madcast.client.io;

import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The latest few who sent what was not meant for this communicator. For one thread at a time. */
final class ForeignSenders {

    private static final int MOST = 8;

    private final Deque<String> latestFirst = new ArrayDeque<>();
    private long counted;

    /** How many foreign datagrams are taken account of. */
    long counted() {
        return counted;
    }

    /**
     * A foreign datagram came.
     *
     * @param sender who sent it, null when that is not known
     * @param count how many came until now
     */
    void add(@Nullable InetSocketAddress sender, long count) {
        counted = count;
        if (sender == null) {
            return;
        }
        String host = sender.getAddress().getHostAddress();
        String text = (host.contains(":") ? "[" + host + "]" : host) + ":" + sender.getPort();
        latestFirst.remove(text);
        latestFirst.addFirst(text);
        if (latestFirst.size() > MOST) {
            latestFirst.removeLast();
        }
    }

    List<String> senders() {
        return List.copyOf(latestFirst);
    }
}

package org.madcast.allocator.rest;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.tomcat.util.net.NioEndpoint;
import org.madcast.allocator.rest.EvictionPolicy.Guest;

/**
 * Where connections are taken. When three quarters of those that there may be are open, the address
 * that has most of them gets no more, and for others who come some of its own give way ({@link
 * EvictionPolicy}). So there is always one left for somebody else, however many begin a request and
 * do not send it, or are refused and do not go.
 *
 * <p>Who gives way is not cut off: it is no longer listened to. What was half sent ends there and
 * the connection with it; a request that is being answered gets its answer first.
 *
 * <p>The thread that takes connections calls; the others see sockets end.
 */
final class FairEndpoint extends NioEndpoint {

    /** What part of all connections gives way at a time. */
    private static final int PART = 16;

    /** How old the count of who has how many may get: looking at all costs more than taking one. */
    private static final long COUNT_EVERY_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final List<SocketChannel> leaving = new ArrayList<>();
    private Map<String, Integer> counts = new HashMap<>();
    private long countedNs = System.nanoTime() - COUNT_EVERY_NS;

    @Override
    protected boolean setSocketOptions(SocketChannel socket) {
        if (hasRoomFor(socket)) {
            return super.setSocketOptions(socket);
        }
        destroySocket(socket);
        return false;
    }

    private boolean hasRoomFor(SocketChannel socket) {
        int most = getMaxConnections();
        if (most <= 0 || getConnectionCount() < crowded(most)) {
            return true;
        }
        if (System.nanoTime() - countedNs >= COUNT_EVERY_NS) {
            count(guests());
        }
        String address = socket.socket().getInetAddress().getHostAddress();
        int own = counts.getOrDefault(address, 0);
        if (own > 0 && own >= counts.values().stream().mapToInt(it -> it).max().orElse(0)) {
            return false;
        }
        counts.put(address, own + 1);
        makeRoom(most);
        return true;
    }

    private void makeRoom(int most) {
        leaving.removeIf(it -> !it.isOpen());
        if (getConnectionCount() - leaving.size() >= crowded(most)) {
            List<SocketChannel> next = EvictionPolicy.givingWay(guests(), Math.max(1, most / PART));
            next.forEach(this::stopListening);
            leaving.addAll(next);
        }
    }

    private static int crowded(int most) {
        return most - most / 4;
    }

    private void count(List<Guest<SocketChannel>> guests) {
        counts = new HashMap<>();
        guests.forEach(it -> counts.merge(it.address(), 1, Integer::sum));
        countedNs = System.nanoTime();
    }

    private List<Guest<SocketChannel>> guests() {
        List<Guest<SocketChannel>> guests = new ArrayList<>();
        connections.forEach((socket, wrapper) -> {
            String address = wrapper.getRemoteAddr();
            if (address != null
                    && wrapper instanceof NioSocketWrapper heard
                    && !socket.socket().isInputShutdown()) {
                guests.add(new Guest<>(address, heard.getLastRead(), socket));
            }
        });
        return guests;
    }

    private void stopListening(SocketChannel socket) {
        try {
            socket.shutdownInput();
        } catch (IOException gone) {
            getLog().debug("A connection that was to give way had ended", gone);
        }
    }
}

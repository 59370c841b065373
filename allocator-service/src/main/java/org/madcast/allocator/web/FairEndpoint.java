package org.madcast.allocator.web;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.net.NioEndpoint;
import org.madcast.allocator.web.EvictionPolicy.Guest;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;

/**
 * Accepts connections and shares them fairly. When three quarters of the allowed connections are
 * open, the address that has most of them gets no more, and some of its connections make room for
 * other addresses ({@link EvictionPolicy}). So one connection is always left for another client,
 * however many clients send half a request, or do not close a refused one.
 *
 * <p>A connection that makes room is not cut off: the server stops reading from it. A request that
 * was half sent ends with its connection; one that is being answered gets its answer first.
 *
 * <p>Called by the thread that accepts connections.
 */
final class FairEndpoint extends NioEndpoint {

    /** The part of all connections that makes room at a time. */
    private static final int PART = 16;

    /** How old the counts may get: counting costs more than accepting a connection. */
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
            getLog().debug("A connection that was to make room had ended", gone);
        }
    }

    /** HTTP/1.1 on connections of this kind. The server makes it by its name. */
    public static final class Http extends Http11NioProtocol {

        /** A protocol that does not run yet. */
        public Http() {
            super(new FairEndpoint());
        }
    }

    /** Makes the server use it. */
    @Component
    static final class Customizer
            implements WebServerFactoryCustomizer<TomcatServletWebServerFactory> {

        @Override
        public void customize(TomcatServletWebServerFactory factory) {
            factory.setProtocol(Http.class.getName());
        }
    }
}

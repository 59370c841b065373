package org.madcast.allocator.access;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;

/**
 * The role of a request that brings no token. It goes by where the request comes from, and is that
 * of other machines for all that may have come through a proxy. From any thread.
 */
@Component
class Strangers {

    /** What a proxy adds, besides all that begins with {@link #FORWARDED}. */
    private static final List<String> OF_PROXIES =
            List.of("Forwarded", "Via", "X-Real-IP", "X-Client-IP", "True-Client-IP");

    private static final String FORWARDED = "x-forwarded-";

    /** Set by the server when it has taken the sender's address from a proxy's header. */
    private static final String ADDRESS_FROM_HEADER = "org.apache.tomcat.request.forwarded";

    private static final int CONNECTIONS_KNOWN = 4096;

    private final AccessProperties access;
    private final SocketUsers users = new SocketUsers();

    /** Whether a connection is of the service's own user; each is looked at once. */
    private final Map<String, Boolean> ofOwnUser =
            new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                    return size() > CONNECTIONS_KNOWN;
                }
            };

    Strangers(AccessProperties access) {
        this.access = access;
    }

    Caller of(HttpServletRequest request) {
        HttpServletRequest received = received(request);
        if (!isNear(received)) {
            return Caller.stranger(request.getRemoteAddr(), access.fromElsewhere());
        }
        Role near = access.fromLoopback();
        Role own = access.fromOwnUser();
        return Caller.stranger(
                "loopback", own.allows(near) && own != near && isOwn(received) ? own : near);
    }

    /** The request without what filters have made of a proxy's headers. */
    private static HttpServletRequest received(HttpServletRequest request) {
        HttpServletRequest received = request;
        while (received instanceof HttpServletRequestWrapper wrapper
                && wrapper.getRequest() instanceof HttpServletRequest inner) {
            received = inner;
        }
        return received;
    }

    private static boolean isNear(HttpServletRequest request) {
        return InetAddress.ofLiteral(request.getRemoteAddr()).isLoopbackAddress()
                && !Boolean.TRUE.equals(request.getAttribute(ADDRESS_FROM_HEADER))
                && !hasProxysHeader(request)
                && isLocalName(request.getServerName());
    }

    private static boolean hasProxysHeader(HttpServletRequest request) {
        var names = request.getHeaderNames();
        while (names.hasMoreElements()) {
            String name = names.nextElement();
            if (name.regionMatches(true, 0, FORWARDED, 0, FORWARDED.length())
                    || OF_PROXIES.stream().anyMatch(name::equalsIgnoreCase)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Another site can have its own name mean this machine, and then its scripts may ask here as
     * this machine's user's browser. Such a name has a dot.
     */
    private static boolean isLocalName(String host) {
        return !host.contains(".")
                || host.endsWith(".localhost")
                || host.chars().allMatch(it -> it == '.' || Character.digit(it, 10) >= 0);
    }

    private boolean isOwn(HttpServletRequest request) {
        String connection = request.getServletConnection().getConnectionId();
        synchronized (ofOwnUser) {
            Boolean known = ofOwnUser.get(connection);
            if (known != null) {
                return known;
            }
        }
        boolean own =
                users.isOwn(
                        end(request.getRemoteAddr(), request.getRemotePort()),
                        end(request.getLocalAddr(), request.getLocalPort()));
        synchronized (ofOwnUser) {
            ofOwnUser.put(connection, own);
        }
        return own;
    }

    private static InetSocketAddress end(String address, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(address), port);
    }
}

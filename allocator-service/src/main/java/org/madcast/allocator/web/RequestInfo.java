package org.madcast.allocator.web;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.UriUtils;

/**
 * A request as the client sent it. The server forwards one that failed to another address, with
 * another method.
 *
 * @param method its method
 * @param path its path as the client wrote it, without the query
 * @param wantsPage whether the client is a browser that shows a page, not a program or a script
 */
public record RequestInfo(String method, String path, boolean wantsPage) {

    /** Characters that the server accepts in a path although an address must not have them. */
    private static final Pattern NO_URI =
            Pattern.compile("[^\\w.~!$&'()*+,;=:@/%-]|%(?![0-9A-Fa-f]{2})");

    /** Reads a request, also one that the server forwarded. */
    public static RequestInfo of(HttpServletRequest request) {
        String path =
                first(
                        request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI),
                        request.getRequestURI());
        String method =
                first(request.getAttribute(RequestDispatcher.ERROR_METHOD), request.getMethod());
        String accepted = request.getHeader("Accept");
        boolean browser = accepted != null && accepted.contains("text/html");
        return new RequestInfo(method, path, browser && !isForPrograms(path));
    }

    /** Whether a path is of REST or of metrics, which only programs read. */
    public static boolean isForPrograms(String path) {
        String plain = decoded(path);
        return plain.startsWith("/v1/") || plain.startsWith("/actuator/");
    }

    /** The path as an address of this service. Two leading slashes would name another host. */
    public URI address() {
        String path = this.path.replaceFirst("^/*", "/");
        return URI.create(
                NO_URI.matcher(path)
                        .replaceAll(it -> "%%%02X".formatted((int) it.group().charAt(0))));
    }

    private static String decoded(String path) {
        try {
            return UriUtils.decode(path, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException wrong) {
            return path;
        }
    }

    private static String first(@Nullable Object forwarded, String own) {
        return forwarded instanceof String text ? text : own;
    }
}

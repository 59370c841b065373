package org.madcast.allocator.error;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.UriUtils;

/**
 * A request as it was asked: the server sends one that failed once more, to another address and by
 * another method.
 *
 * @param method its method
 * @param path as it was written, without a query
 * @param audience who asks
 */
public record RequestInfo(String method, String path, Audience audience) {

    /** What the server takes in a path, though no address may have it. */
    private static final Pattern NO_URI =
            Pattern.compile("[^\\w.~!$&'()*+,;=:@/%-]|%(?![0-9A-Fa-f]{2})");

    /** A request, also one that the server sends once more. */
    public static RequestInfo of(HttpServletRequest request) {
        String path =
                first(
                        request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI),
                        request.getRequestURI());
        String method =
                first(request.getAttribute(RequestDispatcher.ERROR_METHOD), request.getMethod());
        String accepted = request.getHeader("Accept");
        boolean browser = accepted != null && accepted.contains("text/html");
        return new RequestInfo(
                method,
                path,
                browser && !isForPrograms(path) ? Audience.PEOPLE : Audience.PROGRAMS);
    }

    /** Whether people have no business there: REST and metrics are for programs alone. */
    public static boolean isForPrograms(String path) {
        String plain = decoded(path);
        return plain.startsWith("/v1/") || plain.startsWith("/actuator/");
    }

    /** The path as an address below this service's; two slashes would begin another host's. */
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

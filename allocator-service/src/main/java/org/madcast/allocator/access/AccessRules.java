package org.madcast.allocator.access;

import java.util.List;
import java.util.Set;

/** Which role a request needs. What is not named here needs an operator, or a viewer to read. */
public final class AccessRules {

    /** The page where people show a token. */
    public static final String SIGN_IN = "/sign-in";

    /** Where they are forgotten again. */
    public static final String SIGN_OUT = "/sign-out";

    /** The cookie of people who have signed in; it holds their token. */
    public static final String COOKIE = "madcast-token";

    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");

    /** What probes and monitoring read, and what the page needs at which one signs in. */
    private static final List<String> OPEN =
            List.of(
                    "/actuator/health",
                    "/actuator/prometheus",
                    "/dashboard",
                    SIGN_IN,
                    "/webjars",
                    "/favicon.ico");

    private static final List<String> OF_OPERATORS =
            List.of(
                    "/actuator",
                    "/v1/tokens",
                    "/tokens",
                    "/v1/audit",
                    "/audit",
                    "/v1/webhooks",
                    "/v1/state");

    private static final List<String> OF_JOBS =
            List.of(
                    "/v1/leases",
                    "/v1/communicators",
                    "/v1/reports",
                    "/v1/nodes",
                    "/v1/pushes",
                    "/v1/probes");

    private AccessRules() {}

    /**
     * The role that a request needs.
     *
     * @param method the request's method, in capitals
     * @param path its path as the server understood it: decoded, without {@code ..} and parameters
     */
    public static Role needed(String method, String path) {
        boolean reads = READING.contains(method);
        if (path.equals(SIGN_IN) || path.equals(SIGN_OUT) || (reads && isBelow(OPEN, path))) {
            return Role.NONE;
        }
        if (isBelow(OF_OPERATORS, path)) {
            return Role.OPERATOR;
        }
        if (reads) {
            return Role.VIEWER;
        }
        return isBelow(OF_JOBS, path) ? Role.JOB : Role.OPERATOR;
    }

    private static boolean isBelow(List<String> roots, String path) {
        // Of every request, so without a stream for each.
        for (String root : roots) {
            if (path.startsWith(root)
                    && (path.length() == root.length() || path.charAt(root.length()) == '/')) {
                return true;
            }
        }
        return false;
    }
}

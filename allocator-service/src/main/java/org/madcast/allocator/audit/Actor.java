package org.madcast.allocator.audit;

import org.jspecify.annotations.Nullable;

/**
 * Who does something. Each thread that serves a request has one, from when its caller is known
 * until the answer; a thread without one does what the service does by itself.
 *
 * @param name the token's name, or what the caller is called without one
 * @param role what it may do, in a word
 * @param address where the request came from, as text; null of the service
 * @param request the request's number, null of the service
 */
public record Actor(String name, String role, @Nullable String address, @Nullable String request) {

    /** The service, which acts without being asked. */
    public static final Actor SERVICE = new Actor("service", "none", null, null);

    private static final ThreadLocal<@Nullable Actor> CURRENT = new ThreadLocal<>();

    /** Who this thread acts for. */
    public static Actor current() {
        Actor actor = CURRENT.get();
        return actor == null ? SERVICE : actor;
    }

    /** Says whose the request is that this thread serves. */
    public static void isKnown(String name, String role) {
        Actor before = current();
        CURRENT.set(new Actor(name, role, before.address(), before.request()));
    }

    /** From now on this thread serves a request; {@link #end} must follow. */
    static void begin(String address, String request) {
        CURRENT.set(new Actor(address, "none", address, request));
    }

    /** It serves none any more. */
    static void end() {
        CURRENT.remove();
    }
}

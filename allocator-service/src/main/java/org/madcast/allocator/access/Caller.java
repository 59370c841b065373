package org.madcast.allocator.access;

/**
 * The sender of a request.
 *
 * @param name the token's name, or the sender's address when there is no token
 * @param role what the caller may do
 * @param known whether the request has a token that the service knows
 */
public record Caller(String name, Role role, boolean known) {

    /** The request's attribute that holds it. */
    public static final String ATTRIBUTE = "madcast.caller";

    /** For pages: whether to offer what only operators may do. */
    public boolean mayOperate() {
        return role.allows(Role.OPERATOR);
    }
}

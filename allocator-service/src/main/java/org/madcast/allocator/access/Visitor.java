package org.madcast.allocator.access;

/**
 * Whoever sends a request.
 *
 * @param name his token's name, or where he comes from when he brought none
 * @param role what he may do
 * @param known whether he brought a token that the service knows
 */
public record Visitor(String name, Role role, boolean known) {

    /** The request's attribute that holds him. */
    public static final String ATTRIBUTE = "madcast.visitor";

    /** For pages: whether to offer what only operators may do. */
    public boolean mayOperate() {
        return role.allows(Role.OPERATOR);
    }
}

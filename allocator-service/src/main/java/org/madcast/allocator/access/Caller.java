package org.madcast.allocator.access;

import org.jspecify.annotations.Nullable;
import org.madcast.allocator.web.Requester;

/**
 * The sender of a request.
 *
 * @param name the token's name, or the sender's address when there is no token
 * @param role what the caller may do
 * @param known whether the request has a token that the service knows
 * @param owner whose the things are that it makes, as {@link Requester#owner} says
 * @param groupLimit the token's, null without one
 */
public record Caller(
        String name,
        Role role,
        boolean known,
        String owner,
        Requester.@Nullable GroupLimit groupLimit) {

    /** The request's attribute that holds it. */
    public static final String ATTRIBUTE = "madcast.caller";

    /** One without a token. */
    static Caller stranger(String name, Role role) {
        return new Caller(name, role, false, Requester.NO_TOKEN, null);
    }

    /**
     * A person whom the provider knows.
     *
     * @param subject the provider and its name for this person, which stays the same
     */
    public static Caller person(String name, Role role, String subject) {
        return new Caller(name, role, true, Owners.ofPerson(subject), null);
    }

    /** For pages: whether to offer what only operators may do. */
    public boolean mayOperate() {
        return role.allows(Role.OPERATOR);
    }

    /** The same for the parts that know no roles. */
    Requester requester() {
        return new Requester(owner, role.allows(Role.JOB), mayOperate(), groupLimit);
    }

    /** The same caller, whose things belong to another owner. */
    Caller makingFor(String other) {
        return new Caller(name, role, known, other, groupLimit);
    }
}

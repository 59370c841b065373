package org.madcast.allocator.web;

import org.jspecify.annotations.Nullable;

/**
 * Who makes a request, as far as it concerns whose leases, communicators, idempotency keys and
 * pushes are whose. What was made by one is for no other; operators may use all of it.
 *
 * @param owner whose the things are that the request makes: a name that stands for its token, or
 *     for the owner secret that it shows; {@link #NO_TOKEN} when it has neither
 * @param works whether it may change what is its own
 * @param operates whether it may change what is others', too
 * @param groupLimit how many groups may be leased with its token at a time; null for any number
 */
public record Requester(
        String owner, boolean works, boolean operates, @Nullable GroupLimit groupLimit) {

    /**
     * How many groups a token's holders may have at a time, whatever owner the leases have.
     *
     * @param token a name that stands for the token
     * @param most how many
     */
    public record GroupLimit(String token, int most) {}

    /** The request's attribute that holds it. */
    public static final String ATTRIBUTE = "madcast.requester";

    /**
     * The header with an owner secret: what the request makes belongs to requests that show the
     * same one, with any token. So several tokens can make one job, and jobs that share a token can
     * keep apart.
     */
    public static final String SECRET_HEADER = "Madcast-Owner-Secret";

    /** The owner of what requests without a token make. */
    public static final String NO_TOKEN = "";

    /** One without a token, which may make things all the same. */
    public static final Requester WITHOUT_TOKEN = new Requester(NO_TOKEN, true, false, null);

    /**
     * Whether it may use what is this owner's.
     *
     * @param of the owner; null of what was made before owners were noted, which all may use
     */
    public boolean mayUse(@Nullable String of) {
        return operates || (works && (of == null || of.equals(owner)));
    }

    /** The problem of one that may not. */
    public static Problem foreign() {
        return new Problem(
                ProblemType.FOREIGN_OWNER,
                "Show the token, or the " + SECRET_HEADER + ", with which it was made.");
    }
}

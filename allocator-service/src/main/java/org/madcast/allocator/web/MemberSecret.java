package org.madcast.allocator.web;

/** The header in which a rank shows that it is a member, and the problem when it is not. */
public final class MemberSecret {

    /** The header. */
    public static final String HEADER = "Madcast-Member-Secret";

    private MemberSecret() {}

    /** The problem of a request without the secret of a member. */
    public static Problem noSuchMember() {
        return new Problem(
                ProblemType.NO_SUCH_MEMBER, "Check the rank, and its secret in " + HEADER + ".");
    }
}

package org.madcast.agent;

/** What the command line ends with; scripts may rely on the numbers. */
public enum ExitCode {
    /** Everything that was asked for was done. */
    OK(0, "done"),
    /** A defect of Madcast itself. */
    INTERNAL(1, "unexpected error; run again with -v and report it"),
    /** An option or argument is wrong. */
    USAGE(2, "wrong option or argument"),
    /** A file, directory or program that was named is missing or cannot be read or written. */
    NO_INPUT(3, "a file is missing or cannot be used"),
    /** A rank received other bytes than were sent. */
    CHECKSUM(4, "a checksum did not match"),
    /** Another process listens on the port. */
    PORT_IN_USE(5, "port in use"),
    /** The allocation service does not start, does not answer or refuses. */
    SERVICE(6, "the allocation service is unavailable or refused"),
    /** The lab could not be made or needs what this machine lacks. */
    LAB(7, "the lab could not be set up"),
    /** A rank ended early. */
    RANK(8, "a rank failed"),
    /** The service does not know the lease, or the secret is another. */
    NO_SUCH_LEASE(10, "no such lease, or wrong secret"),
    /** All groups of the scope are taken. */
    POOL_EXHAUSTED(11, "no free group in the scope"),
    /** A node did not get everything. */
    NODE(12, "a node did not get everything"),
    /** A probe found something wrong. */
    TROUBLE(13, "the probe found something wrong"),
    /** Said by the launcher: no JDK 25. */
    NO_JDK(20, "no suitable JDK found"),
    /** Said by the launcher: the build failed. */
    BUILD(21, "the build failed"),
    /** Ended by Ctrl-C. */
    INTERRUPTED(130, "interrupted"),
    /** Ended by TERM. */
    TERMINATED(143, "ended by a TERM signal");

    private final int code;
    private final String meaning;

    ExitCode(int code, String meaning) {
        this.code = code;
        this.meaning = meaning;
    }

    /** The number that the process ends with. */
    public int code() {
        return code;
    }

    /** What it means, in a few words for the help. */
    public String meaning() {
        return meaning;
    }
}

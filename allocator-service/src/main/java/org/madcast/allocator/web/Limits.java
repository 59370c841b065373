package org.madcast.allocator.web;

/** The limits of what a request may contain. */
public final class Limits {

    public static final int NAME_LENGTH = 200;
    public static final int LINE_LENGTH = 1000;
    public static final int LABELS = 32;
    public static final int LABEL_KEY_LENGTH = 63;
    public static final int GROUPS = 64;
    public static final int ALIGNMENT = 256;
    public static final int RANGES = 64;
    public static final int QUOTA = 1_000_000_000;
    public static final int RANKS = 65535;
    public static final int PAGE_SIZE = 200;
    public static final int PAGES = 100_000;
    public static final int WAIT_SECONDS = 30;
    public static final int LEASE_SECONDS = 31_536_000;
    public static final int KEY_LENGTH = 255;

    /** Text without control characters, as Java and JSON Schema both read it. */
    public static final String PLAIN_TEXT = "[^\\u0000-\\u001f\\u007f]*";

    /** The message for text that does not match {@link #PLAIN_TEXT}. */
    public static final String PLAIN = "must not have control characters";

    /** An address and a port, such as 10.0.0.7:5000 or [fd00::1]:5000. */
    public static final String ENDPOINT = "[0-9a-zA-Z.:%\\[\\]_-]{3,80}";

    private Limits() {}
}

package org.madcast.allocator.rest;

/** How much a request may say. */
final class Limits {

    static final int NAME_LENGTH = 200;
    static final int LABELS = 32;
    static final int LABEL_KEY_LENGTH = 63;
    static final int GROUPS = 64;
    static final int ALIGNMENT = 256;
    static final int RANGES = 64;
    static final int QUOTA = 1_000_000_000;
    static final int RANKS = 65535;
    static final int REASONS = 64;
    static final int SITES = 256;
    static final int RELAYED_REPORTS = 256;
    static final int FOREIGN_SENDERS = 8;
    static final int PAGE_SIZE = 200;
    static final int PAGES = 100_000;
    static final int WAIT_SECONDS = 30;
    static final int LEASE_SECONDS = 31_536_000;
    static final int KEY_LENGTH = 255;

    /** Text without control characters. */
    static final String PLAIN_TEXT = "[^\\p{Cntrl}]*";

    /** What to say of text that does not match {@link #PLAIN_TEXT}. */
    static final String PLAIN = "must not have control characters";

    /** An address and a port, such as 10.0.0.7:5000 or [fd00::1]:5000. */
    static final String ENDPOINT = "[0-9a-zA-Z.:%\\[\\]_-]{3,80}";

    private Limits() {}
}

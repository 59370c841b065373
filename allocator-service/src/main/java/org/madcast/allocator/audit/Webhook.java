package org.madcast.allocator.audit;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A receiver to which entries of the audit are sent.
 *
 * @param name what it is called
 * @param url where entries are sent
 * @param secret what the telling is signed with
 * @param kinds those kinds only; empty: all
 * @param position the number of the last entry that was sent, or skipped
 * @param progress how it goes
 */
record Webhook(
        String name,
        String url,
        String secret,
        List<String> kinds,
        long position,
        Progress progress) {

    /** What a name must look like, as a regular expression. */
    static final String NAME = "[a-z0-9][a-z0-9._-]{0,62}";

    /**
     * How the telling goes.
     *
     * @param waiting how many entries are to be sent, some of which it may not want
     * @param told how many were
     * @param dropped how many were given up
     * @param failures how often in a row it failed
     * @param failingSince since when, null when the last one succeeded
     * @param lastFailure what went wrong the last time
     * @param nextAt when it is tried again
     */
    record Progress(
            long waiting,
            long told,
            long dropped,
            int failures,
            @Nullable Instant failingSince,
            @Nullable String lastFailure,
            Instant nextAt) {}
}

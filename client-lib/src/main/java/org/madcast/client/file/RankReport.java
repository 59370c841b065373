package org.madcast.client.file;

import java.util.List;

/**
 * What one rank did. On the sending rank the files are those that it read and sent.
 *
 * @param rank the rank
 * @param filesWritten files that arrived whole and took their place
 * @param filesKept files that were there already, or were not to be replaced
 * @param bytesWritten the size of the files written
 * @param bytesResumed how many of these bytes an earlier attempt had left here
 * @param failureCount how many files failed
 * @param failures the first failures
 */
public record RankReport(
        int rank,
        long filesWritten,
        long filesKept,
        long bytesWritten,
        long bytesResumed,
        long failureCount,
        List<FileFailure> failures) {

    /** How many failures a report names; the rest is only counted. */
    public static final int MAX_NAMED_FAILURES = 50;

    /** Copies the list. */
    public RankReport {
        failures = List.copyOf(failures);
    }

    /** True when nothing failed on this rank. */
    public boolean isWhole() {
        return failureCount == 0;
    }
}

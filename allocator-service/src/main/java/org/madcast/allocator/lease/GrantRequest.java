package org.madcast.allocator.lease;

import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What somebody asks for. Sizes were checked where it came in.
 *
 * @param job the job that will own the lease
 * @param communicator the job's communicator, if named
 * @param user who runs the job, if named
 * @param labels the owner's own remarks
 * @param scope the scope to grant from
 * @param count how many groups, at least 1
 * @param duration how long
 */
public record GrantRequest(
        String job,
        @Nullable String communicator,
        @Nullable String user,
        Map<String, String> labels,
        String scope,
        int count,
        Duration duration) {

    /** Keeps the labels in order, so that equal requests read the same. */
    public GrantRequest {
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    }
}

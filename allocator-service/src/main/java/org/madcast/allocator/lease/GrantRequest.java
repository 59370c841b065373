package org.madcast.allocator.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A request for a lease, whose sizes were checked where it arrived.
 *
 * @param job the job that will own the lease
 * @param communicator the job's communicator, if named
 * @param user who runs the job, if named
 * @param labels the owner's own remarks
 * @param scope the scope to grant from
 * @param shape which groups
 * @param duration how long
 * @param startsAt from when on, null for now
 */
public record GrantRequest(
        String job,
        @Nullable String communicator,
        @Nullable String user,
        Map<String, String> labels,
        String scope,
        Shape shape,
        Duration duration,
        @Nullable Instant startsAt) {

    /** Keeps the labels in order, so that equal requests read the same. */
    public GrantRequest {
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    }

    /** The scopes that its groups come from: of pairs, the red one and the blue one. */
    List<String> scopes() {
        @Nullable String blue = shape.blueScope();
        return blue == null ? List.of(scope) : List.of(scope, blue);
    }

    /** Some groups of any addresses, from now on. */
    public GrantRequest(
            String job,
            @Nullable String communicator,
            @Nullable String user,
            Map<String, String> labels,
            String scope,
            int count,
            Duration duration) {
        this(job, communicator, user, labels, scope, Shape.separate(count), duration, null);
    }
}

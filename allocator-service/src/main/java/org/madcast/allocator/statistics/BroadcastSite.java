package org.madcast.allocator.statistics;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.PositiveOrZero;
import jakarta.validation.constraints.Size;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Broadcasts of one class of sizes by one algorithm, as a rank reports them.
 *
 * @param sizeClass the class, such as {@code 64KiB..}
 * @param label what the program calls this place in its loop, null when it says nothing
 * @param algorithm the algorithm
 * @param count how many
 * @param bytes their bytes
 * @param durationNs how long they took
 * @param buckets how long they took, as counts by {@link Buckets}; null from a rank that keeps none
 * @param rootDelayMicros the longest time that this rank, as their root, waited before it sent;
 *     null from a rank that was no root
 * @param arrivals whether the rank came before or after the data; null when it does not know
 */
public record BroadcastSite(
        @NotBlank @Size(max = MOST_NAME) @Pattern(regexp = PLAIN) String sizeClass,
        @Nullable @Size(max = MOST_LABEL) @Pattern(regexp = PLAIN) String label,
        @NotBlank @Size(max = MOST_NAME) @Pattern(regexp = PLAIN) String algorithm,
        @PositiveOrZero @Max(Counters.MOST) long count,
        @PositiveOrZero @Max(Counters.MOST) long bytes,
        @NotNull @Valid DurationNs durationNs,
        @Nullable @BucketCounts Map<Integer, Long> buckets,
        @Nullable @PositiveOrZero @Max(Counters.MOST) Long rootDelayMicros,
        @Nullable @Valid Arrivals arrivals) {

    /** The longest name of a size class, or of an algorithm, in characters. */
    public static final int MOST_NAME = 32;

    /** The longest label, in characters. */
    public static final int MOST_LABEL = 63;

    private static final String PLAIN = "[^\\p{Cntrl}]*";

    /**
     * How long broadcasts took, in nanoseconds.
     *
     * @param p50 half of them took no longer
     * @param p99 99 % of them took no longer
     * @param max none took longer
     * @param sum all of them together
     */
    public record DurationNs(
            @PositiveOrZero @Max(Counters.MOST) long p50,
            @PositiveOrZero @Max(Counters.MOST) long p99,
            @PositiveOrZero @Max(Counters.MOST) long max,
            @PositiveOrZero @Max(Counters.MOST) long sum) {}

    /**
     * When a receiver called, against when the root called: counts by {@link Buckets} of the
     * nanoseconds between.
     *
     * @param early it called before the root
     * @param late it called after the root
     * @param lostEarly how many of the early ones had to ask for what they had missed
     * @param lostEarlyNs what asking cost those, all together, from when the data came
     * @param lostLate how many of the late ones had to ask for what they had missed
     * @param lostLateNs what asking cost those, all together
     */
    public record Arrivals(
            @NotNull @BucketCounts Map<Integer, Long> early,
            @NotNull @BucketCounts Map<Integer, Long> late,
            @PositiveOrZero @Max(Counters.MOST) long lostEarly,
            @PositiveOrZero @Max(Counters.MOST) long lostEarlyNs,
            @PositiveOrZero @Max(Counters.MOST) long lostLate,
            @PositiveOrZero @Max(Counters.MOST) long lostLateNs) {}
}

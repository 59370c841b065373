package org.madcast.allocator.statistics;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.web.Fields;

/**
 * Broadcasts of one size class by one algorithm, as a rank reports them. The annotations are for
 * the OpenAPI document.
 *
 * @param sizeClass the class, such as {@code 64KiB..}
 * @param label the program's name for this place in its loop, null if it has none
 * @param algorithm the algorithm
 * @param count how many
 * @param bytes their bytes
 * @param durationNs how long they took
 * @param buckets how long they took, as counts by {@link Buckets}; null from a rank that has none
 * @param rootDelayMicros the longest time that this rank, as their root, waited before it sent;
 *     null from a rank that was no root
 * @param arrivals whether the rank called before or after the root; null when it does not know
 */
public record BroadcastSite(
        @NotBlank @Size(max = MOST_NAME) String sizeClass,
        @Nullable @Size(max = MOST_LABEL) String label,
        @NotBlank @Size(max = MOST_NAME) String algorithm,
        @Min(0) @Max(Counters.MOST) long count,
        @Min(0) @Max(Counters.MOST) long bytes,
        @NotNull DurationNs durationNs,
        @Nullable Map<Integer, Long> buckets,
        @Nullable @Min(0) @Max(Counters.MOST) Long rootDelayMicros,
        @Nullable Arrivals arrivals) {

    /** The longest name of a size class, or of an algorithm, in characters. */
    public static final int MOST_NAME = 32;

    /** The longest label, in characters. */
    public static final int MOST_LABEL = 63;

    /** Refuses what no rank can report. */
    public BroadcastSite {
        Fields.text("sizeClass", sizeClass, MOST_NAME);
        if (label != null) {
            Fields.plain("label", label, MOST_LABEL);
        }
        Fields.text("algorithm", algorithm, MOST_NAME);
        Fields.upTo(Counters.MOST, "count", count);
        Fields.upTo(Counters.MOST, "bytes", bytes);
        Fields.required("durationNs", durationNs);
        if (buckets != null) {
            Buckets.check("buckets", buckets);
        }
        if (rootDelayMicros != null) {
            Fields.upTo(Counters.MOST, "rootDelayMicros", rootDelayMicros);
        }
    }

    /**
     * How long broadcasts took, in nanoseconds.
     *
     * @param p50 half of them took no longer
     * @param p99 99 % of them took no longer
     * @param max none took longer
     * @param sum all of them together
     */
    public record DurationNs(
            @Min(0) @Max(Counters.MOST) long p50,
            @Min(0) @Max(Counters.MOST) long p99,
            @Min(0) @Max(Counters.MOST) long max,
            @Min(0) @Max(Counters.MOST) long sum) {

        /** Refuses durations that cannot be. */
        public DurationNs {
            Fields.upTo(Counters.MOST, "p50", p50);
            Fields.upTo(Counters.MOST, "p99", p99);
            Fields.upTo(Counters.MOST, "max", max);
            Fields.upTo(Counters.MOST, "sum", sum);
        }
    }

    /**
     * When a receiver called, relative to the root: counts by {@link Buckets} of the nanoseconds
     * between.
     *
     * @param early it called before the root
     * @param late it called after the root
     * @param lostEarly how many of the early calls requested a fragment
     * @param lostEarlyNs what those requests cost them together, from the arrival of the data
     * @param lostLate how many of the late calls requested a fragment
     * @param lostLateNs what those requests cost them together
     */
    public record Arrivals(
            @NotNull Map<Integer, Long> early,
            @NotNull Map<Integer, Long> late,
            @Min(0) @Max(Counters.MOST) long lostEarly,
            @Min(0) @Max(Counters.MOST) long lostEarlyNs,
            @Min(0) @Max(Counters.MOST) long lostLate,
            @Min(0) @Max(Counters.MOST) long lostLateNs) {

        /** Refuses counts that cannot be. */
        public Arrivals {
            Buckets.check("early", Fields.required("early", early));
            Buckets.check("late", Fields.required("late", late));
            Fields.upTo(Counters.MOST, "lostEarly", lostEarly);
            Fields.upTo(Counters.MOST, "lostEarlyNs", lostEarlyNs);
            Fields.upTo(Counters.MOST, "lostLate", lostLate);
            Fields.upTo(Counters.MOST, "lostLateNs", lostLateNs);
        }
    }
}

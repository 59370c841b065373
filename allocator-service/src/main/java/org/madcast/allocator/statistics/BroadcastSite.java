package org.madcast.allocator.statistics;

import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.PositiveOrZero;
import jakarta.validation.constraints.Size;

/**
 * Broadcasts of one class of sizes by one algorithm.
 *
 * @param sizeClass the class, such as {@code 64KiB..}
 * @param algorithm the algorithm
 * @param count how many
 * @param bytes their bytes
 * @param durationNs how long they took
 */
public record BroadcastSite(
        @NotBlank @Size(max = 32) String sizeClass,
        @NotBlank @Size(max = 32) String algorithm,
        @PositiveOrZero long count,
        @PositiveOrZero long bytes,
        @NotNull @Valid DurationNs durationNs) {

    /**
     * How long broadcasts took, in nanoseconds.
     *
     * @param p50 half of them took no longer
     * @param p99 99 % of them took no longer
     * @param max none took longer
     * @param sum all of them together
     */
    public record DurationNs(
            @PositiveOrZero long p50,
            @PositiveOrZero long p99,
            @PositiveOrZero long max,
            @PositiveOrZero long sum) {}
}

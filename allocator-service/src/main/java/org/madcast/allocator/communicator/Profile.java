package org.madcast.allocator.communicator;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.util.List;
import org.madcast.allocator.web.Limits;
import org.madcast.allocator.web.Problem;

/**
 * What ranks sent to each other, and when they were in calls. Where there are many, a row stands
 * for several: the first for ranks 0 to n - 1, and so on, n as small as {@link #MOST_ROWS} allows.
 * Immutable.
 *
 * @param ranks of the communicator
 * @param from when it began
 * @param milliseconds how long it is
 * @param rows one for each rank, or for several
 */
@Schema(name = "CommunicatorProfile")
public record Profile(
        @JsonProperty(required = true) @Min(1) @Max(Limits.RANKS) int ranks,
        @NotNull Instant from,
        @JsonProperty(required = true) @Min(1) @Max(LONGEST_MS) long milliseconds,
        @NotEmpty @Size(max = MOST_ROWS) List<@NotNull @Valid Row> rows) {

    static final int MOST_ROWS = 64;
    static final int MOST_STEPS = 240;
    static final long LONGEST_MS = 1000L * Limits.LEASE_SECONDS;
    static final long MOST_BYTES = 1L << 53;

    /**
     * A rank, or several.
     *
     * @param multicastBytes what it broadcast by multicast
     * @param sentBytes what it sent to the ranks of each row
     * @param callPercent how much of each of several equal parts of the time it was in calls
     */
    @Schema(name = "CommunicatorProfileRow")
    public record Row(
            @JsonProperty(required = true) @Min(0) @Max(MOST_BYTES) long multicastBytes,
            @NotEmpty @Size(max = MOST_ROWS) List<@NotNull @Min(0) @Max(MOST_BYTES) Long> sentBytes,
            @NotEmpty @Size(max = MOST_STEPS)
                    List<@NotNull @Min(0) @Max(100) Integer> callPercent) {}

    /**
     * How many ranks a row stands for.
     *
     * @return at least 1
     */
    public int together() {
        return Math.ceilDiv(ranks, MOST_ROWS);
    }

    /** Refuses rows that do not fit each other. */
    void check(int size) {
        if (ranks != size) {
            throw Problem.invalid("ranks", "must be " + size + ", as the communicator has");
        }
        int expected = Math.ceilDiv(ranks, together());
        if (rows.size() != expected) {
            throw Problem.invalid("rows", "size must be " + expected);
        }
        int steps = rows.getFirst().callPercent.size();
        for (int i = 0; i < expected; i++) {
            if (rows.get(i).sentBytes.size() != expected) {
                throw Problem.invalid("rows[" + i + "].sentBytes", "size must be " + expected);
            }
            if (rows.get(i).callPercent.size() != steps) {
                throw Problem.invalid("rows[" + i + "].callPercent", "size must be " + steps);
            }
        }
    }
}

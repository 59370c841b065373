package org.madcast.allocator.fleet;

import jakarta.validation.Valid;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.PositiveOrZero;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.web.Limits;

/**
 * What a probe of multicast between nodes saw.
 *
 * @param id the probe, a random number; reported twice it counts once
 * @param group what was tried with, address and port
 * @param ttl of the datagrams to it
 * @param seconds how long it took
 * @param findings what is wrong; nothing when all is well
 * @param nodes each node, the first is where the probe was started
 * @param queries how many IGMP queries were heard of each querier
 * @param queriesAudible whether anybody could listen for queries
 */
public record ProbeResult(
        @NotNull UUID id,
        @NotBlank @Size(max = Limits.NAME_LENGTH) @Pattern(regexp = Limits.PLAIN_TEXT) String group,
        @Min(0) @Max(255) int ttl,
        @PositiveOrZero double seconds,
        @NotNull @Size(max = 64) List<@Valid @NotNull Finding> findings,
        @NotNull @Size(min = 1, max = MOST_NODES) List<@Valid @NotNull Point> nodes,
        @NotNull @Size(max = 64)
                Map<
                                @NotBlank @Size(max = Limits.NAME_LENGTH)
                                @Pattern(regexp = Limits.PLAIN_TEXT) String,
                                @NotNull @PositiveOrZero Long>
                        queries,
        boolean queriesAudible) {

    static final int MOST_NODES = 128;

    /**
     * Something that is wrong.
     *
     * @param trouble its name, such as {@code no-multicast}
     * @param nodes where
     * @param what what was seen
     * @param cure what to do
     */
    public record Finding(
            @NotBlank @Pattern(regexp = "[a-z0-9-]{1,63}") String trouble,
            @NotNull @Size(max = MOST_NODES)
                    List<
                                    @NotBlank @Size(max = Limits.NAME_LENGTH)
                                    @Pattern(regexp = Limits.PLAIN_TEXT) String>
                            nodes,
            @NotBlank @Size(max = Limits.LINE_LENGTH) @Pattern(regexp = Limits.PLAIN_TEXT)
                    String what,
            @NotBlank @Size(max = Limits.LINE_LENGTH) @Pattern(regexp = Limits.PLAIN_TEXT)
                    String cure) {}

    /**
     * A node of a probe.
     *
     * @param node its name
     * @param interfaceName its interface, null when it is not known
     * @param hears the nodes whose multicast reaches it
     * @param largestDatagramBytes the largest datagram that came whole
     * @param bitsPerSecond what it takes; 0 for who sends
     * @param lostShare which part of a gentle stream it lost, 0 to 1
     */
    public record Point(
            @NotBlank @Size(max = Limits.NAME_LENGTH) @Pattern(regexp = Limits.PLAIN_TEXT)
                    String node,
            @Nullable @Size(max = Limits.NAME_LENGTH) @Pattern(regexp = Limits.PLAIN_TEXT)
                    String interfaceName,
            @NotNull @Size(max = MOST_NODES)
                    List<
                                    @NotBlank @Size(max = Limits.NAME_LENGTH)
                                    @Pattern(regexp = Limits.PLAIN_TEXT) String>
                            hears,
            @PositiveOrZero int largestDatagramBytes,
            @PositiveOrZero double bitsPerSecond,
            @DecimalMin("0") @DecimalMax("1") double lostShare) {}
}

package org.madcast.allocator.topology;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Map;

/**
 * Switches, the cables between them, and the hosts on them. Hosts are numbered from 0 on as they
 * stand here. Immutable.
 *
 * @param switches the switches' names
 * @param cables between two switches each
 * @param hosts in groups that have a switch and a rate in common
 * @param addresses addresses and further names of some hosts, by the host's name
 */
@Schema(name = "TopologyTree")
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Tree(
        @NotEmpty @Size(max = MOST) List<@NotNull @Pattern(regexp = NAME) String> switches,
        @Size(max = MOST) List<@NotNull @Valid Cable> cables,
        @NotEmpty @Size(max = MOST) List<@NotNull @Valid Hosts> hosts,
        @Size(max = MOST)
                Map<
                                @NotNull @Pattern(regexp = NAME) String,
                                @NotEmpty List<@NotNull @Pattern(regexp = NAME) String>>
                        addresses) {

    /** What names look like, as a regular expression. */
    static final String NAME = "[A-Za-z0-9_.:-]{1,253}";

    private static final int MOST = 20_000;
    private static final long FASTEST = 1_000_000_000_000_000L;

    /**
     * A cable between two switches.
     *
     * @param bitsPerSecond what it carries each way
     */
    @Schema(name = "TopologyCable")
    public record Cable(
            @NotNull String one,
            @NotNull String other,
            @JsonProperty(required = true) @NotNull @Positive @Max(FASTEST) Long bitsPerSecond) {}

    /**
     * Hosts on one switch.
     *
     * @param at the switch
     * @param bitsPerSecond what the cable of each carries each way
     * @param names the hosts' names
     */
    @Schema(name = "TopologyHosts")
    public record Hosts(
            @NotNull String at,
            @JsonProperty(required = true) @NotNull @Positive @Max(FASTEST) Long bitsPerSecond,
            @NotEmpty @Size(max = MOST) List<@NotNull @Pattern(regexp = NAME) String> names) {}

    /** With empty collections for what is not in the JSON. */
    public Tree {
        cables = cables == null ? List.of() : cables;
        addresses = addresses == null ? Map.of() : addresses;
    }

    /** The hosts' names by their numbers. */
    public List<String> hostNames() {
        return hosts.stream().flatMap(group -> group.names().stream()).toList();
    }
}

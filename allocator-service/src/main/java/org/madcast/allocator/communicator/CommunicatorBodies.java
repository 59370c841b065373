package org.madcast.allocator.communicator;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.PositiveOrZero;
import jakarta.validation.constraints.Size;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.lease.Lease;
import org.madcast.allocator.scope.LeasedGroup;
import org.madcast.allocator.topology.Tree;
import org.madcast.allocator.web.Limits;
import org.madcast.allocator.web.Requester;

/** The JSON of communicators. */
final class CommunicatorBodies {

    private CommunicatorBodies() {}

    /** Makes or finds a communicator. */
    @Schema(name = "CommunicatorWish")
    record Make(
            @NotBlank
                    @Size(max = Limits.NAME_LENGTH)
                    @Pattern(regexp = Limits.PLAIN_TEXT, message = Limits.PLAIN)
                    String job,
            @NotBlank
                    @Size(max = Limits.NAME_LENGTH)
                    @Pattern(regexp = Limits.PLAIN_TEXT, message = Limits.PLAIN)
                    String name,
            @Nullable UUID parent,
            @NotNull @Min(1) @Max(Limits.RANKS) Integer size,
            @Nullable
                    @Size(min = 1, max = Limits.LABEL_KEY_LENGTH)
                    @Pattern(regexp = Limits.PLAIN_TEXT, message = Limits.PLAIN)
                    String scope,
            @Nullable @Min(1) @Max(Limits.LEASE_SECONDS) Integer durationSeconds) {

        CommunicatorService.Request toRequest(Requester by) {
            return new CommunicatorService.Request(
                    by,
                    job,
                    name,
                    parent,
                    size,
                    scope,
                    durationSeconds == null ? null : Duration.ofSeconds(durationSeconds));
        }
    }

    /** Registers a rank. */
    @Schema(name = "MemberWish")
    record Join(
            @NotBlank @Size(max = 64) @Pattern(regexp = "[0-9a-fA-F.:%a-z]*") String address,
            @NotNull @Min(1) @Max(65535) Integer port,
            @NotBlank
                    @Size(max = Limits.NAME_LENGTH)
                    @Pattern(regexp = Limits.PLAIN_TEXT, message = Limits.PLAIN)
                    String host,
            @NotNull @PositiveOrZero Long pid,
            @NotNull @PositiveOrZero Long receiveBufferBytes,
            @NotNull @Min(1) @Max(65535) Integer datagramBytes,
            @NotNull UUID instance) {

        Member.Endpoint endpoint() {
            return new Member.Endpoint(address, port, host, pid, receiveBufferBytes, datagramBytes);
        }
    }

    /** A rank that was registered. */
    @Schema(name = "JoinedMember")
    record Joined(int rank, String memberSecret, Instant expiresAt) {}

    /** Keeps a rank alive. */
    @Schema(name = "MemberRenewal")
    record Renewal(@Nullable @Min(1) @Max(Limits.LEASE_SECONDS) Integer durationSeconds) {}

    /** A rank that was kept alive. */
    @Schema(name = "RenewedMember")
    record Renewed(Instant leaseExpiresAt, Instant expiresAt) {}

    /** The lease of a communicator. */
    @Schema(name = "CommunicatorLease")
    record LeaseView(
            UUID id, String scope, String pool, String address, int port, Instant expiresAt) {

        static LeaseView of(Lease lease, String pool) {
            LeasedGroup group = lease.groups().getFirst();
            return new LeaseView(
                    lease.id(),
                    lease.scope(),
                    pool,
                    group.address(),
                    group.port(),
                    lease.expiresAt());
        }
    }

    /** A member as the others see it. */
    @Schema(name = "Member")
    record MemberView(
            int rank,
            String address,
            int port,
            String host,
            long receiveBufferBytes,
            int datagramBytes,
            Member.State state,
            Instant expiresAt) {

        static MemberView of(Member member, Instant now) {
            Member.Endpoint at = member.endpoint();
            return new MemberView(
                    member.rank(),
                    at.address(),
                    at.port(),
                    at.host(),
                    at.receiveBufferBytes(),
                    at.datagramBytes(),
                    member.state(now),
                    member.expiresAt());
        }
    }

    /**
     * The switches between the ranks' hosts, as an operator keeps them.
     *
     * @param name what the topology is called
     * @param tree its switches, and those of its hosts on which ranks are
     * @param ranks each rank's host, by its number among those of the tree
     */
    record RankTopology(String name, Tree tree, List<Integer> ranks) {

        static RankTopology of(String name, Tree whole, List<Integer> hosts) {
            Map<Integer, Integer> numbers = new HashMap<>();
            List<Tree.Hosts> kept = new ArrayList<>();
            Set<Integer> used = Set.copyOf(hosts);
            int host = 0;
            for (Tree.Hosts group : whole.hosts()) {
                List<String> names = new ArrayList<>();
                for (String each : group.names()) {
                    if (used.contains(host)) {
                        numbers.put(host, numbers.size());
                        names.add(each);
                    }
                    host++;
                }
                if (!names.isEmpty()) {
                    kept.add(new Tree.Hosts(group.at(), group.bitsPerSecond(), names));
                }
            }
            return new RankTopology(
                    name,
                    new Tree(whole.switches(), whole.cables(), kept, Map.of()),
                    hosts.stream().map(it -> numbers.getOrDefault(it, 0)).toList());
        }
    }

    /** A communicator; its members and their topology only where they were asked for. */
    @Schema(name = "Communicator")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record View(
            UUID id,
            String job,
            String name,
            @Nullable UUID parent,
            int size,
            @Nullable String token,
            @Nullable LeaseView lease,
            boolean complete,
            @Nullable List<MemberView> members,
            @Nullable RankTopology topology) {

        /** For those whose it is not. */
        View withoutToken() {
            return new View(id, job, name, parent, size, null, lease, complete, members, topology);
        }

        static View of(
                Communicator communicator,
                @Nullable LeaseView lease,
                @Nullable List<MemberView> members,
                @Nullable RankTopology topology) {
            return new View(
                    communicator.id(),
                    communicator.job(),
                    communicator.name(),
                    communicator.parentId(),
                    communicator.size(),
                    communicator.token(),
                    lease,
                    communicator.complete(),
                    members,
                    topology);
        }
    }
}

package org.madcast.allocator.dashboard;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.communicator.Communicator;
import org.madcast.allocator.communicator.CommunicatorService;
import org.madcast.allocator.communicator.Member;
import org.madcast.allocator.lease.Lease;
import org.madcast.allocator.lease.LeaseState;
import org.madcast.allocator.scope.ScopeCatalog;
import org.madcast.allocator.statistics.BroadcastSite;
import org.madcast.allocator.statistics.Counters;
import org.madcast.allocator.statistics.RankStatistics;
import org.madcast.allocator.statistics.StatisticsService;
import org.madcast.allocator.store.SqlTime;
import org.springframework.stereotype.Component;

/** What the page of a communicator shows. */
@Component
class CommunicatorPage {

    private final CommunicatorService communicators;
    private final StatisticsService statistics;
    private final ScopeCatalog scopes;
    private final SqlTime time;

    CommunicatorPage(
            CommunicatorService communicators,
            StatisticsService statistics,
            ScopeCatalog scopes,
            SqlTime time) {
        this.communicators = communicators;
        this.statistics = statistics;
        this.scopes = scopes;
        this.time = time;
    }

    /** The whole page. */
    public record View(
            UUID id,
            String job,
            String name,
            int size,
            String state,
            String stateText,
            String group,
            String pool,
            String lease,
            List<RankRow> ranks,
            List<SiteRow> sites) {}

    /** A line of the ranks' table. */
    public record RankRow(Place place, Traffic traffic) {}

    /** Where a rank is. */
    public record Place(int rank, String host, String endpoint, String state, String socketPath) {}

    /** What a rank counted. */
    public record Traffic(
            String sent,
            String received,
            String useful,
            String lost,
            String loss,
            boolean lossy,
            String repaired,
            String repairP99,
            String rejected,
            String reported) {}

    /** A line of the broadcasts' table. */
    public record SiteRow(
            String sizeClass,
            String algorithm,
            String count,
            String bytes,
            String p50,
            String p99,
            String max,
            String mean) {}

    Optional<View> view(UUID id) {
        return communicators.find(id).map(this::view);
    }

    static String state(Communicator communicator) {
        if (communicator.endedAt() != null) {
            return "ended";
        }
        return communicator.complete() ? "running" : "waiting";
    }

    static String stateText(Communicator communicator, Instant now) {
        Instant endedAt = communicator.endedAt();
        return switch (state(communicator)) {
            case "waiting" -> "waiting for ranks";
            case "running" -> "running";
            default -> endedAt == null ? "ended" : "ended " + Show.ago(endedAt, now);
        };
    }

    private View view(Communicator communicator) {
        Instant now = time.now();
        Optional<Lease> lease = communicators.lease(communicator);
        Map<Integer, RankStatistics> reports =
                statistics.ranks(communicator.id()).stream()
                        .collect(Collectors.toMap(RankStatistics::rank, Function.identity()));
        return new View(
                communicator.id(),
                communicator.job(),
                communicator.name(),
                communicator.size(),
                state(communicator),
                stateText(communicator, now),
                lease.map(it -> it.groups().getFirst().toString()).orElse("–"),
                lease.flatMap(it -> scopes.find(it.scope()))
                        .map(it -> it.name() + ": " + it.pool())
                        .orElse("–"),
                lease.map(it -> leaseText(it, now)).orElse("–"),
                communicators.members(communicator.id()).stream()
                        .map(it -> row(it, reports.get(it.rank()), now))
                        .toList(),
                statistics.broadcasts(communicator.id()).stream()
                        .map(CommunicatorPage::row)
                        .toList());
    }

    private static String leaseText(Lease lease, Instant now) {
        Instant endedAt = lease.endedAt();
        String times =
                lease.state() == LeaseState.ACTIVE || endedAt == null
                        ? "expires " + Show.in(lease.expiresAt(), now)
                        : "ended " + Show.ago(endedAt, now);
        return lease.id() + ", " + times;
    }

    private static RankRow row(Member member, @Nullable RankStatistics report, Instant now) {
        Member.Endpoint at = member.endpoint();
        String path = report == null ? null : report.socketPath();
        Place place =
                new Place(
                        member.rank(),
                        at.host(),
                        at.address() + ":" + at.port(),
                        member.leftAt() != null
                                ? "left"
                                : member.isAlive(now) ? "alive" : "overdue",
                        path == null ? "–" : path);
        return new RankRow(place, report == null ? silent() : traffic(report, now));
    }

    private static Traffic traffic(RankStatistics report, Instant now) {
        Counters counters = report.counters();
        return new Traffic(
                Show.count(counters.datagramsSent()),
                Show.count(counters.datagramsReceived()),
                Show.count(counters.fragmentsUseful()),
                Show.count(counters.fragmentsLost()),
                Show.percent(counters.lossPercent()),
                counters.lossPercent() >= 1,
                Show.count(counters.repairsReceived()),
                Show.nanos(counters.repairP99Ns()),
                Show.reasons(report.rejected()),
                Show.ago(report.receivedAt(), now));
    }

    private static Traffic silent() {
        return new Traffic("–", "–", "–", "–", "–", false, "–", "–", "–", "no report yet");
    }

    private static SiteRow row(BroadcastSite site) {
        long count = site.count();
        return new SiteRow(
                site.sizeClass(),
                site.algorithm(),
                Show.count(count),
                Show.bytes(site.bytes()),
                Show.nanos(site.durationNs().p50()),
                Show.nanos(site.durationNs().p99()),
                Show.nanos(site.durationNs().max()),
                Show.nanos(count == 0 ? 0 : site.durationNs().sum() / count));
    }
}

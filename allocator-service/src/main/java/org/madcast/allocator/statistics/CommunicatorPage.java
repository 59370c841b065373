package org.madcast.allocator.statistics;

import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.communicator.Communicator;
import org.madcast.allocator.communicator.CommunicatorService;
import org.madcast.allocator.communicator.Member;
import org.madcast.allocator.communicator.ProfileStore;
import org.madcast.allocator.lease.Lease;
import org.madcast.allocator.lease.LeaseState;
import org.madcast.allocator.scope.ScopeCatalog;
import org.madcast.allocator.store.SqlTime;
import org.madcast.allocator.web.page.LineChart;
import org.madcast.allocator.web.page.Show;
import org.springframework.stereotype.Component;

/** What the page of a communicator shows. */
@Component
public class CommunicatorPage {

    /** Datagrams that a healthy job rejects: its own ones, looped back, and late ones. */
    private static final Set<String> HARMLESS = Set.of("own-echo", "outside-window");

    private final CommunicatorService communicators;
    private final ProfileStore profiles;
    private final StatisticsService statistics;
    private final ScopeCatalog scopes;
    private final SqlTime time;

    CommunicatorPage(
            CommunicatorService communicators,
            ProfileStore profiles,
            StatisticsService statistics,
            ScopeCatalog scopes,
            SqlTime time) {
        this.communicators = communicators;
        this.profiles = profiles;
        this.statistics = statistics;
        this.scopes = scopes;
        this.time = time;
    }

    /** The whole page. */
    public record View(
            Head head,
            Facts facts,
            String span,
            List<SpanLink> spans,
            Pictures pictures,
            List<SiteRows.Row> sites,
            Arrivals arrivals,
            List<SiteRows.AdviceRow> advice,
            List<HeatMaps.Map2d> profile,
            List<RankRow> ranks) {}

    /** When ranks call, and where the time goes. */
    public record Arrivals(Phases.Skew skew, List<Phases.Split> splits) {}

    /** What it is. */
    public record Head(
            UUID id, String job, String name, int size, String state, String stateText) {}

    /** At a glance. */
    public record Facts(
            String group,
            String pool,
            String lease,
            @Nullable UUID leaseId,
            String broadcasts,
            String bytes,
            String loss,
            String worst,
            String repairs,
            String foreign,
            String senders,
            String dropped) {}

    /** A choice of how far back to look. */
    public record SpanLink(String key, String text, boolean chosen) {}

    /** The history; nothing where no rank reported in that time. */
    public record Pictures(
            List<LineChart> traffic, List<LineChart> durations, List<HeatMaps.Map2d> maps) {

        /** Whether no rank reported. */
        public boolean none() {
            return maps.isEmpty();
        }
    }

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
            String repairsSent,
            String repairP99,
            String foreign,
            String rejected,
            String harmless,
            String reported) {}

    /**
     * The page.
     *
     * @param span how far back to look, the key of a {@link Span}; null for what suits its age
     */
    Optional<View> view(UUID id, @Nullable String span) {
        return communicators.find(id).map(it -> view(it, span));
    }

    /** Whether it waits for ranks, runs or has ended, in one word. */
    public static String state(Communicator communicator) {
        if (communicator.endedAt() != null) {
            return "ended";
        }
        return communicator.complete() ? "running" : "waiting";
    }

    /** The same, as people read it. */
    public static String stateText(Communicator communicator, Instant now) {
        Instant endedAt = communicator.endedAt();
        return switch (state(communicator)) {
            case "waiting" -> "waiting for ranks";
            case "running" -> "running";
            default -> endedAt == null ? "ended" : "ended " + Show.ago(endedAt, now);
        };
    }

    private View view(Communicator communicator, @Nullable String wanted) {
        Instant now = time.now();
        Span span = Span.of(wanted);
        UUID id = communicator.id();
        IntervalSums total = statistics.total(id);
        Map<Integer, RankStatistics> reports =
                statistics.ranks(id).stream()
                        .collect(Collectors.toMap(RankStatistics::rank, Function.identity()));
        return new View(
                new Head(
                        id,
                        communicator.job(),
                        communicator.name(),
                        communicator.size(),
                        state(communicator),
                        stateText(communicator, now)),
                facts(communicator, total, now),
                span.key(),
                Arrays.stream(Span.values())
                        .map(it -> new SpanLink(it.key(), it.text(), it == span))
                        .toList(),
                pictures(history(communicator, span, now), total, communicator.size()),
                SiteRows.of(total),
                new Arrivals(Phases.skew(total), Phases.splits(total)),
                SiteRows.advice(statistics.advice(id), statistics.delaysInForce(id)),
                profiles.find(id).map(ProfileMaps::of).orElse(List.of()),
                communicators.members(id).stream()
                        .map(it -> row(it, reports.get(it.rank()), now))
                        .toList());
    }

    private History history(Communicator communicator, Span span, Instant now) {
        if (span != Span.LIFE) {
            return statistics.history(communicator.id(), span.length(), span.steps());
        }
        Instant begun = communicator.completedAt();
        Instant ended = communicator.endedAt();
        return statistics.history(
                communicator.id(),
                begun == null ? communicator.createdAt() : begun,
                ended == null ? now : ended,
                span.steps());
    }

    private static Pictures pictures(History history, IntervalSums total, int size) {
        boolean silent = history.steps().stream().allMatch(it -> it.ranks().isEmpty());
        return silent
                ? new Pictures(List.of(), List.of(), List.of())
                : new Pictures(
                        HistoryCharts.traffic(history, size),
                        HistoryCharts.durations(history, total),
                        HeatMaps.all(history, total, size));
    }

    private Facts facts(Communicator communicator, IntervalSums total, Instant now) {
        Optional<Lease> lease = communicators.lease(communicator);
        long useful = total.of(RankCount.FRAGMENTS_USEFUL);
        long lost = total.of(RankCount.FRAGMENTS_LOST);
        return new Facts(
                lease.map(it -> it.groups().getFirst().toString()).orElse("–"),
                lease.flatMap(it -> scopes.find(it.scope()))
                        .map(it -> it.name() + ": " + it.pool())
                        .orElse("–"),
                lease.map(it -> leaseText(it, now)).orElse("–"),
                lease.map(Lease::id).orElse(null),
                Show.count(
                        total.ranks().values().stream()
                                .mapToLong(it -> it.get(RankCount.BROADCASTS))
                                .max()
                                .orElse(0)),
                Show.bytes(
                        total.ranks().values().stream()
                                .mapToLong(it -> it.get(RankCount.MESSAGE_BYTES))
                                .max()
                                .orElse(0)),
                useful == 0 ? "–" : Show.percent(100.0 * lost / useful),
                worst(total),
                Show.count(total.of(RankCount.REPAIRS_SENT)),
                Show.count(total.of(RankCount.FOREIGN)),
                String.join(", ", statistics.foreignSenders(communicator.id())),
                Show.count(total.of(RankCount.REPORTS_DROPPED)));
    }

    /** The rank that lost most; nothing when none lost anything. */
    private static String worst(IntervalSums total) {
        return total.ranks().entrySet().stream()
                .max(Comparator.comparingDouble(it -> it.getValue().lossPercent()))
                .filter(it -> it.getValue().lossPercent() > 0)
                .map(it ->
                        "most: rank %d, %s"
                                .formatted(it.getKey(), Show.percent(it.getValue().lossPercent())))
                .orElse("");
    }

    private static String leaseText(Lease lease, Instant now) {
        Instant endedAt = lease.endedAt();
        return lease.state() == LeaseState.ACTIVE || endedAt == null
                ? "expires " + Show.in(lease.expiresAt(), now)
                : "ended " + Show.ago(endedAt, now);
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
                Show.count(counters.repairsSent()),
                Show.nanos(counters.repairP99Ns()),
                Show.count(counters.foreign()),
                Show.reasons(report.rejected(), it -> !HARMLESS.contains(it)),
                Show.reasons(report.rejected(), HARMLESS::contains),
                Show.ago(report.receivedAt(), now));
    }

    private static Traffic silent() {
        return new Traffic(
                "–", "–", "–", "–", "–", false, "–", "–", "–", "–", "–", "–", "no report yet");
    }
}

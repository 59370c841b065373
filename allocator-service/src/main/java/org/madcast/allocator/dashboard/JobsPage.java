package org.madcast.allocator.dashboard;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.alert.Alert;
import org.madcast.allocator.alert.AlertService;
import org.madcast.allocator.fleet.PushesPage;
import org.madcast.allocator.statistics.StatisticsService;
import org.madcast.allocator.store.SqlTime;
import org.madcast.allocator.web.page.Show;
import org.madcast.allocator.web.page.SoughtWords;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** What the pages show of jobs: their list, and a job's time line. */
@Component
class JobsPage {

    private static final int MOST_JOBS = 100;
    private static final int MOST_COMMUNICATORS = 100;
    private static final int MOST_EVENTS = 200;
    private static final int LONGEST_WORDS = 200;

    /**
     * How many communicators are looked at, the latest ones: of those that live, and that ended.
     */
    private static final int MOST_LIVING = 10_000;

    private static final int MOST_ENDED = 1_000;

    private static final String JOBS =
            """
            select job, count(*) as communicators, count(*) filter (where ended_at is null) as living,
                max(size) as ranks, min(created_at) as first, max(created_at) as last
            from (
                (select job, size, created_at, ended_at from communicator
                    where ended_at is null %1$s order by created_at desc limit %3$d)
                union all
                (select job, size, created_at, ended_at from communicator
                    where ended_at is not null %1$s order by created_at desc limit %2$d)) as found
            group by job order by (count(*) filter (where ended_at is null) = 0), max(created_at) desc
            limit :limit
            """;

    /** What is not sought is not in the statement: else no index could be used for it. */
    private static final String OF_ALL = JOBS.formatted("", MOST_ENDED, MOST_LIVING);

    private static final String OF_SOME =
            JOBS.formatted("and job ilike :like", MOST_ENDED, MOST_LIVING);

    private static final String COMMUNICATORS =
            """
            select id, name, size, created_at, completed_at, ended_at, end_reason
            from communicator where job = :job order by created_at desc limit :limit
            """;

    /** Ranks that were lost, and the first and the last rank of each communicator that left. */
    private static final String LOSSES =
            """
            select m.communicator_id, m.rank, m.host, m.expires_at
            from member m join communicator c on c.id = m.communicator_id
            where m.communicator_id = any(:ids) and m.left_at is null
                and m.expires_at <= coalesce(c.ended_at, now())
            order by m.expires_at desc limit :limit
            """;

    private final JdbcClient jdbc;
    private final StatisticsService statistics;
    private final AlertService alerts;
    private final PushesPage pushes;
    private final SqlTime time;

    JobsPage(
            JdbcClient jdbc,
            StatisticsService statistics,
            AlertService alerts,
            PushesPage pushes,
            SqlTime time) {
        this.jdbc = jdbc;
        this.statistics = statistics;
        this.alerts = alerts;
        this.pushes = pushes;
        this.time = time;
    }

    /** The list of jobs. */
    public record Found(String words, List<Row> rows, boolean more) {}

    /** A line of it. */
    public record Row(
            String job,
            @Nullable UUID push,
            boolean living,
            String communicators,
            String ranks,
            String first,
            String last) {}

    /** A job. */
    public record View(
            String job,
            @Nullable UUID push,
            boolean living,
            String began,
            String took,
            List<Bar> bars,
            List<String> times,
            List<Event> events,
            List<Alert> alerts) {}

    /**
     * A communicator in the time line.
     *
     * @param left where its bar begins, in percent of the width
     * @param meeting how long its ranks took to meet, in percent of the width
     * @param running how long it ran then
     */
    public record Bar(
            UUID id,
            String name,
            int size,
            String state,
            String took,
            OverviewPage.Glance glance,
            double left,
            double meeting,
            double running) {}

    /** Something that happened. */
    public record Event(String at, String kind, String communicator, UUID id, String text) {}

    private record Run(
            UUID id,
            String name,
            int size,
            Instant createdAt,
            @Nullable Instant completedAt,
            @Nullable Instant endedAt,
            @Nullable String endReason) {}

    private record Moment(Instant at, String kind, Run run, String text) {}

    Found list(@Nullable String q) {
        String words = q == null ? "" : q.strip();
        String sought = words.substring(0, Math.min(LONGEST_WORDS, words.length()));
        Instant now = time.now();
        List<Row> rows =
                jdbc.sql(sought.isEmpty() ? OF_ALL : OF_SOME)
                        .param("like", SoughtWords.pattern(sought))
                        .param("limit", MOST_JOBS + 1)
                        .query((row, _) -> row(row, now))
                        .list();
        Map<String, UUID> ofJobs = pushes.ofJobs(rows.stream().map(Row::job).toList());
        return new Found(
                sought,
                rows.stream()
                        .limit(MOST_JOBS)
                        .map(it ->
                                new Row(
                                        it.job(),
                                        ofJobs.get(it.job()),
                                        it.living(),
                                        it.communicators(),
                                        it.ranks(),
                                        it.first(),
                                        it.last()))
                        .toList(),
                rows.size() > MOST_JOBS);
    }

    private static Row row(ResultSet row, Instant now) throws SQLException {
        return new Row(
                row.getString("job"),
                null,
                row.getLong("living") > 0,
                Show.count(row.getLong("communicators")),
                Show.count(row.getLong("ranks")),
                Show.ago(SqlTime.get(row, "first"), now),
                Show.ago(SqlTime.get(row, "last"), now));
    }

    Optional<View> view(String job) {
        List<Run> runs =
                jdbc.sql(COMMUNICATORS)
                        .param("job", job)
                        .param("limit", MOST_COMMUNICATORS)
                        .query(JobsPage::run)
                        .list();
        return runs.isEmpty() ? Optional.empty() : Optional.of(view(job, runs.reversed()));
    }

    private static Run run(ResultSet row, int index) throws SQLException {
        return new Run(
                row.getObject("id", UUID.class),
                row.getString("name"),
                row.getInt("size"),
                SqlTime.get(row, "created_at"),
                SqlTime.getOrNull(row, "completed_at"),
                SqlTime.getOrNull(row, "ended_at"),
                row.getString("end_reason"));
    }

    private View view(String job, List<Run> runs) {
        Instant now = time.now();
        List<UUID> ids = runs.stream().map(Run::id).toList();
        Map<UUID, StatisticsService.Glance> glances = statistics.glances(ids);
        Instant from = runs.getFirst().createdAt();
        boolean living = runs.stream().anyMatch(it -> it.endedAt() == null);
        Instant to =
                runs.stream().map(it -> end(it, now)).max(Comparator.naturalOrder()).orElse(now);
        double width = Math.max(1, Duration.between(from, to).toMillis());
        return new View(
                job,
                pushes.ofJobs(List.of(job)).get(job),
                living,
                Show.ago(from, now),
                Show.length(Duration.between(from, to)),
                runs.stream().map(it -> bar(it, glances.get(it.id()), from, width, now)).toList(),
                Show.times(from, Duration.between(from, to).toSeconds()),
                events(runs, ids),
                alerts.current().stream().filter(it -> ids.contains(it.communicator())).toList());
    }

    private static Instant end(Run run, Instant now) {
        Instant endedAt = run.endedAt();
        return endedAt == null ? now : endedAt;
    }

    private static Bar bar(
            Run run,
            StatisticsService.@Nullable Glance glance,
            Instant from,
            double width,
            Instant now) {
        Instant end = end(run, now);
        Instant completedAt = run.completedAt();
        Instant met = completedAt == null ? end : completedAt;
        return new Bar(
                run.id(),
                run.name(),
                run.size(),
                run.endedAt() != null ? "ended" : completedAt == null ? "waiting" : "running",
                Show.length(Duration.between(run.createdAt(), end)),
                glance == null ? OverviewPage.Glance.NONE : OverviewPage.glance(glance),
                100 * Duration.between(from, run.createdAt()).toMillis() / width,
                100 * Duration.between(run.createdAt(), met).toMillis() / width,
                Math.max(0.3, 100 * Duration.between(met, end).toMillis() / width));
    }

    /** The latest first. */
    private List<Event> events(List<Run> runs, List<UUID> ids) {
        List<Moment> moments = new ArrayList<>();
        for (Run run : runs) {
            moments.add(
                    new Moment(run.createdAt(), "made", run, "made for " + run.size() + " ranks"));
            Instant completedAt = run.completedAt();
            if (completedAt != null) {
                moments.add(new Moment(completedAt, "met", run, "all ranks have met"));
            }
            Instant endedAt = run.endedAt();
            if (endedAt != null) {
                moments.add(new Moment(endedAt, "ended", run, "ended: " + run.endReason()));
            }
        }
        jdbc.sql(LOSSES)
                .param("ids", ids.toArray(UUID[]::new))
                .param("limit", MOST_EVENTS)
                .query(row -> {
                    Run run = runs.get(ids.indexOf(row.getObject("communicator_id", UUID.class)));
                    moments.add(
                            new Moment(
                                    SqlTime.get(row, "expires_at"),
                                    "lost",
                                    run,
                                    "rank %d on %s was lost: it stopped renewing its membership"
                                            .formatted(row.getInt("rank"), row.getString("host"))));
                });
        return moments.stream()
                .sorted(Comparator.comparing(Moment::at).reversed())
                .limit(MOST_EVENTS)
                .map(it ->
                        new Event(
                                Show.moment(it.at()),
                                it.kind(),
                                it.run().name(),
                                it.run().id(),
                                it.text()))
                .toList();
    }
}

package org.madcast.allocator.dashboard;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.madcast.allocator.fleet.FleetService;
import org.madcast.allocator.fleet.PushNews;
import org.madcast.allocator.store.SqlTime;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** What the pages show of pushes. */
@Component
class PushesPage {

    private static final int MOST_ROWS = 50;
    private static final String COMPLETE = "complete";
    private static final String RUNNING = "running";
    private static final Pattern JOB = Pattern.compile("push-[a-z0-9]{1,32}-[0-9]{1,9}");

    private final FleetService fleet;
    private final JdbcClient jdbc;
    private final SqlTime time;

    PushesPage(FleetService fleet, JdbcClient jdbc, SqlTime time) {
        this.jdbc = jdbc;
        this.fleet = fleet;
        this.time = time;
    }

    /** A line of the table of pushes. */
    public record Row(
            UUID id,
            String when,
            String sender,
            String what,
            String destination,
            State state,
            Progress progress) {}

    /** How it stands: a class for the style, and words. */
    public record State(String kind, String text) {}

    /**
     * How far it is.
     *
     * @param bar the mean of the nodes' percentages, and the share of the nodes that get no more
     * @param done how much of the files was sent, or how many nodes have everything
     */
    public record Progress(
            Bar bar, String done, String files, String rate, String left, String nodes) {}

    /**
     * The parts of a bar, in percent of it.
     *
     * @param done what arrived
     * @param missing what will not arrive
     */
    public record Bar(int done, int missing) {

        /** For readers that cannot see it. */
        public String label() {
            return done + " percent" + (missing > 0 ? ", " + missing + " percent missing" : "");
        }
    }

    /** The whole page of a push. */
    public record View(
            Row row,
            String took,
            String streamed,
            long rounds,
            boolean running,
            List<Node> nodes,
            List<String> names,
            List<Job> jobs) {}

    /** A line of the table of nodes. */
    public record Node(String name, State state, Bar bar, String taken, String reason) {}

    /** A communicator that the push used, one for each round. */
    public record Job(String name, UUID communicator) {}

    List<Row> latest() {
        Instant now = time.now();
        return fleet.pushes(MOST_ROWS).stream().map(it -> row(it, now)).toList();
    }

    Optional<View> view(UUID id) {
        return fleet.push(id).map(it -> view(it, time.now()));
    }

    /** The pushes that used communicators of these jobs, by job. */
    Map<String, UUID> ofJobs(Collection<String> jobs) {
        Map<String, UUID> pushes = new HashMap<>();
        List<String> candidates = jobs.stream().filter(it -> JOB.matcher(it).matches()).toList();
        if (!candidates.isEmpty()) {
            jdbc.sql(
                            """
                            select j.job, p.id from unnest(:jobs::text[]) as j(job)
                            join fleet_push p
                                on p.body->>'job' = regexp_replace(j.job, '-[0-9]+$', '')
                            """)
                    .param("jobs", candidates.toArray(String[]::new))
                    .query(row -> {
                        pushes.put(row.getString("job"), row.getObject("id", UUID.class));
                    });
        }
        return pushes;
    }

    private View view(FleetService.Push push, Instant now) {
        PushNews news = push.news();
        int sent = sentPercent(news);
        return new View(
                row(push, now),
                Show.length(Duration.between(push.startedAt(), push.updatedAt())),
                Show.bytes(news.streamBytes()),
                news.rounds(),
                news.state() == PushNews.State.RUNNING && !push.silent(),
                news.nodes().stream()
                        .sorted(Comparator.comparing(it -> it.state().equals(COMPLETE)))
                        .map(it -> node(it, sent, news))
                        .toList(),
                names(news),
                jobs(news));
    }

    private List<Job> jobs(PushNews news) {
        String job = news.job();
        return job == null
                ? List.of()
                : jdbc.sql(
                                """
                                select id, job from communicator
                                where job like :job || '-%' order by created_at desc limit :limit
                                """)
                        .param("job", job)
                        .param("limit", MOST_ROWS)
                        .query((row, _) ->
                                new Job(row.getString("job"), row.getObject("id", UUID.class)))
                        .list();
    }

    private static List<String> names(PushNews news) {
        List<String> names = news.names();
        return names == null ? List.of() : names;
    }

    /** One or two names, and how many more. */
    private static String what(PushNews news) {
        List<String> names = names(news);
        if (names.isEmpty()) {
            return news.files() == 1 ? "1 file" : Show.count(news.files()) + " files";
        }
        int shown = Math.min(2, names.size());
        int more = names.size() - shown;
        return String.join(", ", names.subList(0, shown))
                + (more > 0 ? " and " + more + " more" : "");
    }

    private static Row row(FleetService.Push push, Instant now) {
        PushNews news = push.news();
        return new Row(
                news.id(),
                Show.ago(push.startedAt(), now),
                news.sender(),
                what(news),
                news.destination(),
                state(push, now),
                progress(push));
    }

    private static State state(FleetService.Push push, Instant now) {
        if (push.silent()) {
            return new State("bad", "silent since " + Show.ago(push.updatedAt(), now));
        }
        return switch (push.news().state()) {
            case RUNNING -> new State("running", "running");
            case COMPLETE -> new State("running", "complete");
            case PARTLY -> new State("waiting", "parts are missing");
            case FAILED -> new State("bad", "failed");
        };
    }

    private static Progress progress(FleetService.Push push) {
        PushNews news = push.news();
        boolean running = news.state() == PushNews.State.RUNNING;
        long done =
                news.state() == PushNews.State.COMPLETE
                        ? news.bytes()
                        : Math.min(news.bytes(), news.doneBytes());
        double seconds = Duration.between(push.startedAt(), push.updatedAt()).toMillis() / 1e3;
        double rate = seconds <= 0 ? 0 : done / seconds;
        int all = news.nodes().size();
        long complete = news.nodes().stream().filter(it -> it.state().equals(COMPLETE)).count();
        long missing = news.nodes().stream().filter(PushesPage::getsNoMore).count();
        return new Progress(
                bar(news, missing),
                running || all == 0
                        ? Show.bytes(done) + " of " + Show.bytes(news.bytes())
                        : complete + " of " + all + (all == 1 ? " node" : " nodes"),
                Show.count(news.files()),
                rate == 0 ? "–" : Show.bits(8 * rate),
                running && rate > 0
                        ? Show.length(
                                Duration.ofMillis((long) (1e3 * (news.bytes() - done) / rate)))
                        : "–",
                (running ? all - missing : complete) + " of " + all);
    }

    /** Full only when every node has everything. */
    private static Bar bar(PushNews news, long missing) {
        if (news.state() == PushNews.State.COMPLETE) {
            return new Bar(100, 0);
        }
        int sent = sentPercent(news);
        int all = news.nodes().size();
        if (all == 0) {
            return new Bar(Math.min(99, sent), 0);
        }
        int sum = news.nodes().stream().mapToInt(it -> percent(it, sent, news)).sum();
        return new Bar(Math.min(99, sum / all), (int) (100 * missing / all));
    }

    private static int sentPercent(PushNews news) {
        return news.state() == PushNews.State.COMPLETE
                ? 100
                : percent(news.doneBytes(), news.bytes());
    }

    private static boolean getsNoMore(PushNews.Part part) {
        return switch (part.state()) {
            case COMPLETE, RUNNING, "partly" -> false;
            default -> true;
        };
    }

    private static Node node(PushNews.Part part, int sent, PushNews news) {
        String reason = part.reason();
        String kind =
                switch (part.state()) {
                    case COMPLETE, RUNNING -> "running";
                    case "partly" -> "waiting";
                    default -> "bad";
                };
        int percent = percent(part, sent, news);
        return new Node(
                part.node(),
                new State(kind, part.state().toLowerCase(Locale.ROOT)),
                new Bar(percent, getsNoMore(part) ? 100 - percent : 0),
                Show.bytes(part.streamBytes()),
                reason == null || reason.isEmpty() ? "–" : reason);
    }

    /** How much of the files a node has: what was sent, as far as this node has taken it. */
    private static int percent(PushNews.Part part, int sent, PushNews news) {
        if (part.state().equals(COMPLETE)) {
            return 100;
        }
        long furthest =
                news.nodes().stream()
                        .mapToLong(PushNews.Part::streamBytes)
                        .reduce(news.streamBytes(), Math::max);
        return Math.min(99, sent * percent(part.streamBytes(), furthest) / 100);
    }

    private static int percent(long part, long whole) {
        return whole <= 0 ? 0 : (int) Math.clamp(100.0 * part / whole, 0, 100);
    }
}

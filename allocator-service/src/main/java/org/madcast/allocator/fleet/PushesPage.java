package org.madcast.allocator.fleet;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.madcast.allocator.store.SqlTime;
import org.madcast.allocator.web.page.Show;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** What the pages show of pushes. */
@Component
public class PushesPage {

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
    public Map<String, UUID> ofJobs(Collection<String> jobs) {
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
        PushUpdate update = push.update();
        int sent = sentPercent(update);
        return new View(
                row(push, now),
                Show.length(Duration.between(push.startedAt(), push.updatedAt())),
                Show.bytes(update.streamBytes()),
                update.rounds(),
                update.state() == PushUpdate.State.RUNNING && !push.silent(),
                update.nodes().stream()
                        .sorted(Comparator.comparing(it -> it.state().equals(COMPLETE)))
                        .map(it -> node(it, sent, update))
                        .toList(),
                names(update),
                jobs(update));
    }

    private List<Job> jobs(PushUpdate update) {
        String job = update.job();
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

    private static List<String> names(PushUpdate update) {
        List<String> names = update.names();
        return names == null ? List.of() : names;
    }

    /** One or two names, and how many more. */
    private static String what(PushUpdate update) {
        List<String> names = names(update);
        if (names.isEmpty()) {
            return update.files() == 1 ? "1 file" : Show.count(update.files()) + " files";
        }
        int shown = Math.min(2, names.size());
        int more = names.size() - shown;
        return String.join(", ", names.subList(0, shown))
                + (more > 0 ? " and " + more + " more" : "");
    }

    static Row row(FleetService.Push push, Instant now) {
        PushUpdate update = push.update();
        return new Row(
                update.id(),
                Show.ago(push.startedAt(), now),
                update.sender(),
                what(update),
                update.destination(),
                state(push, now),
                progress(push));
    }

    private static State state(FleetService.Push push, Instant now) {
        if (push.silent()) {
            return new State("bad", "silent since " + Show.ago(push.updatedAt(), now));
        }
        return switch (push.update().state()) {
            case RUNNING -> new State("running", "running");
            case COMPLETE -> new State("running", "complete");
            case PARTLY -> new State("waiting", "parts are missing");
            case FAILED -> new State("bad", "failed");
        };
    }

    private static Progress progress(FleetService.Push push) {
        PushUpdate update = push.update();
        boolean running = update.state() == PushUpdate.State.RUNNING;
        long done =
                update.state() == PushUpdate.State.COMPLETE
                        ? update.bytes()
                        : Math.min(update.bytes(), update.doneBytes());
        double seconds = Duration.between(push.startedAt(), push.updatedAt()).toMillis() / 1e3;
        double rate = seconds <= 0 ? 0 : done / seconds;
        int all = update.nodes().size();
        long complete = update.nodes().stream().filter(it -> it.state().equals(COMPLETE)).count();
        long missing = update.nodes().stream().filter(PushesPage::getsNoMore).count();
        return new Progress(
                bar(update, missing),
                running || all == 0
                        ? Show.bytes(done) + " of " + Show.bytes(update.bytes())
                        : complete + " of " + all + (all == 1 ? " node" : " nodes"),
                Show.count(update.files()),
                rate == 0 ? "–" : Show.bits(8 * rate),
                running && rate > 0
                        ? Show.length(
                                Duration.ofMillis((long) (1e3 * (update.bytes() - done) / rate)))
                        : "–",
                (running ? all - missing : complete) + " of " + all);
    }

    /** Full only when every node has everything. */
    private static Bar bar(PushUpdate update, long missing) {
        if (update.state() == PushUpdate.State.COMPLETE) {
            return new Bar(100, 0);
        }
        int sent = sentPercent(update);
        int all = update.nodes().size();
        if (all == 0) {
            return new Bar(Math.min(99, sent), 0);
        }
        int sum = update.nodes().stream().mapToInt(it -> percent(it, sent, update)).sum();
        return new Bar(Math.min(99, sum / all), (int) (100 * missing / all));
    }

    private static int sentPercent(PushUpdate update) {
        return update.state() == PushUpdate.State.COMPLETE
                ? 100
                : percent(update.doneBytes(), update.bytes());
    }

    private static boolean getsNoMore(PushUpdate.Part part) {
        return switch (part.state()) {
            case COMPLETE, RUNNING, "partly" -> false;
            default -> true;
        };
    }

    private static Node node(PushUpdate.Part part, int sent, PushUpdate update) {
        String reason = part.reason();
        int percent = percent(part, sent, update);
        return new Node(
                part.node(),
                state(part),
                new Bar(percent, getsNoMore(part) ? 100 - percent : 0),
                Show.bytes(part.streamBytes()),
                reason == null || reason.isEmpty() ? "–" : reason);
    }

    /** How a node's part stands. */
    static State state(PushUpdate.Part part) {
        String kind =
                switch (part.state()) {
                    case COMPLETE, RUNNING -> "running";
                    case "partly" -> "waiting";
                    default -> "bad";
                };
        return new State(kind, part.state());
    }

    /** How much of the files a node has: what was sent, as far as this node has taken it. */
    private static int percent(PushUpdate.Part part, int sent, PushUpdate update) {
        if (part.state().equals(COMPLETE)) {
            return 100;
        }
        long furthest =
                update.nodes().stream()
                        .mapToLong(PushUpdate.Part::streamBytes)
                        .reduce(update.streamBytes(), Math::max);
        return Math.min(99, sent * percent(part.streamBytes(), furthest) / 100);
    }

    private static int percent(long part, long whole) {
        return whole <= 0 ? 0 : (int) Math.clamp(100.0 * part / whole, 0, 100);
    }
}

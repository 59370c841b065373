package org.madcast.allocator.dashboard;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.madcast.allocator.fleet.FleetService;
import org.madcast.allocator.fleet.PushNews;
import org.madcast.allocator.store.SqlTime;
import org.springframework.stereotype.Component;

/** What the pages show of pushes. */
@Component
class PushesPage {

    private static final int MOST_ROWS = 50;

    private final FleetService fleet;
    private final SqlTime time;

    PushesPage(FleetService fleet, SqlTime time) {
        this.fleet = fleet;
        this.time = time;
    }

    /** A line of the table of pushes. */
    public record Row(
            UUID id,
            String when,
            String sender,
            String destination,
            State state,
            Progress progress) {}

    /** How it stands: a class for the style, and words. */
    public record State(String kind, String text) {}

    /** How far it is. */
    public record Progress(
            int percent, String bytes, String files, String rate, String left, String nodes) {}

    /** The whole page of a push. */
    public record View(
            Row row,
            String took,
            String streamed,
            long rounds,
            boolean running,
            List<Node> nodes) {}

    /** A line of the table of nodes. */
    public record Node(String name, State state, int percent, String taken, String reason) {}

    List<Row> latest() {
        Instant now = time.now();
        return fleet.pushes(MOST_ROWS).stream().map(it -> row(it, now)).toList();
    }

    Optional<View> view(UUID id) {
        return fleet.push(id).map(it -> view(it, time.now()));
    }

    private static View view(FleetService.Push push, Instant now) {
        PushNews news = push.news();
        long furthest =
                news.nodes().stream()
                        .mapToLong(PushNews.Part::streamBytes)
                        .reduce(news.streamBytes(), Math::max);
        return new View(
                row(push, now),
                Show.length(Duration.between(push.startedAt(), push.updatedAt())),
                Show.bytes(news.streamBytes()),
                news.rounds(),
                news.state() == PushNews.State.RUNNING && !push.silent(),
                news.nodes().stream()
                        .sorted(Comparator.comparing(it -> it.state().equals("complete")))
                        .map(it -> node(it, furthest))
                        .toList());
    }

    private static Row row(FleetService.Push push, Instant now) {
        PushNews news = push.news();
        return new Row(
                news.id(),
                Show.ago(push.startedAt(), now),
                news.sender(),
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
        boolean whole = news.state() == PushNews.State.COMPLETE;
        long done = whole ? news.bytes() : Math.min(news.bytes(), news.doneBytes());
        double seconds = Duration.between(push.startedAt(), push.updatedAt()).toMillis() / 1e3;
        double rate = seconds <= 0 ? 0 : done / seconds;
        boolean running = news.state() == PushNews.State.RUNNING;
        long complete = news.nodes().stream().filter(it -> it.state().equals("complete")).count();
        long lost =
                news.nodes().stream()
                        .filter(it -> !it.state().equals("complete"))
                        .filter(it -> !it.state().equals("running"))
                        .count();
        return new Progress(
                percent(done, news.bytes()),
                Show.bytes(done) + " of " + Show.bytes(news.bytes()),
                Show.count(news.files()),
                rate == 0 ? "–" : Show.bits(8 * rate),
                running && rate > 0
                        ? Show.length(
                                Duration.ofMillis((long) (1e3 * (news.bytes() - done) / rate)))
                        : "–",
                running
                        ? news.nodes().size() - lost + " of " + news.nodes().size()
                        : complete + " of " + news.nodes().size());
    }

    private static Node node(PushNews.Part part, long furthest) {
        String reason = part.reason();
        boolean complete = part.state().equals("complete");
        String kind =
                switch (part.state()) {
                    case "complete", "running" -> "running";
                    case "partly" -> "waiting";
                    default -> "bad";
                };
        return new Node(
                part.node(),
                new State(kind, part.state().toLowerCase(Locale.ROOT)),
                complete ? 100 : percent(part.streamBytes(), furthest),
                Show.bytes(part.streamBytes()),
                reason == null || reason.isEmpty() ? "–" : reason);
    }

    private static int percent(long part, long whole) {
        return whole <= 0 ? 0 : Math.clamp(100 * part / whole, 0, 100);
    }
}

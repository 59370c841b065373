package org.madcast.allocator.fleet;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.madcast.allocator.web.Requester;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Service;

/** Keeps what agents tell, for a while, and gives it out. From any thread. */
@Service
public class FleetService {

    private static final Duration NODES_KEPT = Duration.ofDays(1);
    private static final Duration HISTORY_KEPT = Duration.ofDays(30);
    private static final int MOST_NODES = 20_000;
    private static final int MOST_HISTORY = 5_000;

    /** A push that says nothing for so long is taken to be dead. */
    private static final Duration PUSH_SILENT = Duration.ofSeconds(30);

    private final FleetStore store;

    FleetService(FleetStore store) {
        this.store = store;
    }

    /**
     * A node and when it was heard of.
     *
     * @param heartbeat what it said last
     * @param seenAt when
     * @param silent whether it should have spoken since
     */
    public record Node(Heartbeat heartbeat, Instant seenAt, boolean silent) {}

    /**
     * A push and when it was heard of.
     *
     * @param update the latest
     * @param silent whether it says that it runs but should have spoken since
     */
    public record Push(PushUpdate update, Instant startedAt, Instant updatedAt, boolean silent) {}

    /** A probe and when it ended. */
    public record Probe(ProbeResult result, Instant at) {}

    /** An agent is there, or says good-bye. */
    public void heard(Heartbeat heartbeat) {
        if (heartbeat.leaving()) {
            store.removeNode(heartbeat.name());
        } else {
            store.putNode(heartbeat);
        }
    }

    /** A push went on; an older update changes nothing. False when the push is another's. */
    public boolean heard(Requester by, PushUpdate update) {
        return store.putPush(by, update);
    }

    /** A probe ended; reported twice it is kept once. */
    public void heard(ProbeResult result) {
        store.putProbe(result);
    }

    /** The nodes, by name. */
    public List<Node> nodes(int limit) {
        return nodes("", limit);
    }

    /** The same of those whose name comes after this one. */
    public List<Node> nodes(String after, int limit) {
        return store.nodes(after, limit);
    }

    /** The pushes, the latest first. */
    public List<Push> pushes(int limit) {
        return store.pushes(PUSH_SILENT, limit);
    }

    /** A push. */
    public Optional<Push> push(UUID id) {
        return store.push(PUSH_SILENT, id);
    }

    /** The probes, the latest first. */
    public List<Probe> probes(int limit) {
        return store.probes(limit);
    }

    /** A probe. */
    public Optional<Probe> probe(UUID id) {
        return store.probe(id);
    }

    /** Forgets what is old, and what is too much. */
    @Scheduled(fixedDelayString = "${madcast.fleet.forget-interval:60s}")
    void forget() {
        store.forgetNodes(NODES_KEPT, MOST_NODES);
        store.forgetPushes(HISTORY_KEPT, MOST_HISTORY);
        store.forgetProbes(HISTORY_KEPT, MOST_HISTORY);
    }
}

package org.madcast.agent.daemon;

import com.grack.nanojson.JsonObject;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.madcast.agent.service.ServiceClient;
import org.madcast.agent.service.ServiceNotices;

/** Reports this agent to the allocation service every few seconds, and when it leaves. */
final class Heartbeats implements AutoCloseable {

    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final ServiceNotices service;
    private final ScheduledExecutorService clock =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("madcast-heartbeat").factory());
    private final String node;
    private final String address;
    private final String version;
    private final AgentMetrics metrics;

    private Heartbeats(
            ServiceClient service,
            String node,
            String address,
            String version,
            AgentMetrics metrics) {
        this.version = version;
        this.service = new ServiceNotices(service, "/v1/nodes");
        this.node = node;
        this.address = address;
        this.metrics = metrics;
    }

    /**
     * Begins.
     *
     * @param address where senders connect to
     */
    static Heartbeats start(
            ServiceClient service,
            String node,
            String address,
            String version,
            AgentMetrics metrics) {
        Heartbeats heartbeats = new Heartbeats(service, node, address, version, metrics);
        var _ =
                heartbeats.clock.scheduleAtFixedRate(
                        () -> heartbeats.tell(false),
                        0,
                        INTERVAL.toMillis(),
                        TimeUnit.MILLISECONDS);
        return heartbeats;
    }

    private void tell(boolean leaving) {
        JsonObject news = metrics.counts();
        news.put("name", node);
        news.put("address", address);
        news.put("version", version);
        news.put("intervalSeconds", INTERVAL.toSeconds());
        news.put("leaving", leaving);
        service.tell(news);
    }

    /** Says good-bye. */
    @Override
    public void close() {
        clock.shutdownNow();
        tell(true);
        service.close();
    }
}

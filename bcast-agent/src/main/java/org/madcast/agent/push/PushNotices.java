package org.madcast.agent.push;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.node.HostName;
import org.madcast.agent.service.ServiceClient;
import org.madcast.agent.service.ServiceNotices;

/**
 * Reports a push's progress to the allocation service, for its dashboard. For one thread at a time.
 */
final class PushNotices implements AutoCloseable {

    private static final long INTERVAL_NS = 1_000_000_000;

    /** The most nodes of a notice. */
    private static final int MOST_NODES = 1024;

    /** The most names of a notice. */
    private static final int MOST_NAMES = 64;

    private final @Nullable ServiceNotices service;
    private final String job;
    private final List<String> names;
    private final List<String> nodes;
    private final String destination;
    private final SourceSize size;
    private final String id = UUID.randomUUID().toString();
    private long sequence;
    private long toldNs = System.nanoTime() - INTERVAL_NS;
    private @Nullable String sender;

    /**
     * What is reported, and to which service.
     *
     * @param service the service that is notified, null for none
     * @param job the start of its jobs' names
     * @param names of what is sent, as the user named it
     * @param nodes the nodes, as the user named them
     */
    PushNotices(
            @Nullable ServiceNotices service,
            String job,
            List<String> names,
            List<String> nodes,
            String destination,
            SourceSize size) {
        this.service = service;
        this.job = job;
        this.names = names.stream().limit(MOST_NAMES).map(PushNotices::line).toList();
        this.nodes = nodes.subList(0, Math.min(MOST_NODES, nodes.size()));
        this.destination = destination;
        this.size = size;
    }

    /** Notifies the service that leases the group, if there is one. */
    static PushNotices of(PushOptions options, String job, SourceSize size) {
        URI service = options.attachment().service();
        String token = options.attachment().serviceToken();
        return new PushNotices(
                service == null
                        ? null
                        : new ServiceNotices(new ServiceClient(service, token), "/v1/pushes"),
                job,
                options.sources().stream().map(Path::toString).toList(),
                options.nodes().stream().map(it -> it.text()).toList(),
                options.destination(),
                size);
    }

    /** Asked for with the first notice: it may take a while, and the start need not wait for it. */
    private String sender() {
        String name = sender;
        if (name == null) {
            name = HostName.orElse("localhost");
            sender = name;
        }
        return name;
    }

    /**
     * It goes on; reported once a second at most.
     *
     * @param doneBytes how much of the files the nodes have, as their mean
     * @param streamBytes what went over the network
     * @param rounds how often a job was made
     * @param taken how much of the present stream each node that is left has taken, by its name
     */
    void running(long doneBytes, long streamBytes, int rounds, Map<String, Long> taken) {
        long nowNs = System.nanoTime();
        if (service == null || nowNs - toldNs < INTERVAL_NS) {
            return;
        }
        toldNs = nowNs;
        JsonArray parts = new JsonArray();
        for (String name : nodes) {
            Long bytes = taken.get(name);
            parts.add(
                    bytes == null
                            ? node(name, "lost", 0, "it does not take part any more")
                            : node(name, "running", bytes, ""));
        }
        tell("RUNNING", doneBytes, streamBytes, rounds, parts);
    }

    /** It is over. */
    void ended(PushResult result) {
        if (service == null) {
            return;
        }
        JsonArray parts = new JsonArray();
        result.nodes().stream()
                .limit(MOST_NODES)
                .forEach(it ->
                        parts.add(
                                node(
                                        it.node(),
                                        it.state().label(),
                                        it.report() == null ? 0 : result.streamBytes(),
                                        it.reason())));
        boolean any = result.nodes().stream().anyMatch(it -> it.report() != null);
        String state = result.isComplete() ? "COMPLETE" : any ? "PARTLY" : "FAILED";
        long complete = result.nodes().stream().filter(NodeOutcome::isComplete).count();
        long doneBytes =
                result.isComplete()
                        ? result.bytes()
                        : (long)
                                ((double) result.bytes()
                                        * complete
                                        / Math.max(1, result.nodes().size()));
        tell(state, doneBytes, result.streamBytes(), result.rounds(), parts);
    }

    private static JsonObject node(String name, String state, long streamBytes, String reason) {
        JsonObject node = new JsonObject();
        node.put("node", name);
        node.put("state", state);
        node.put("streamBytes", streamBytes);
        node.put("reason", line(reason));
        return node;
    }

    /** As the service takes it: a thousand characters without control characters. */
    private static String line(String text) {
        String plain = text.replaceAll("\\p{Cntrl}", " ");
        return plain.substring(0, Math.min(1000, plain.length()));
    }

    private void tell(String state, long doneBytes, long streamBytes, int rounds, JsonArray parts) {
        if (service == null) {
            return;
        }
        JsonObject news = new JsonObject();
        news.put("id", id);
        news.put("sequence", sequence++);
        news.put("job", job);
        JsonArray sent = new JsonArray();
        sent.addAll(names);
        news.put("names", sent);
        news.put("sender", sender());
        news.put("destination", line(destination));
        news.put("state", state);
        news.put("files", size.files());
        news.put("bytes", size.bytes());
        news.put("doneBytes", doneBytes);
        news.put("streamBytes", streamBytes);
        news.put("rounds", rounds);
        news.put("nodes", parts);
        service.tell(news);
    }

    /** Sends the last notice. */
    @Override
    public void close() {
        if (service != null) {
            service.close();
        }
    }
}

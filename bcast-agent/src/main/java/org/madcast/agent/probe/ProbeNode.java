package org.madcast.agent.probe;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.madcast.agent.node.NodeChannel;

/**
 * A point of a probe as the prober sees it: this machine's own, or a node's, reached through its
 * agent. For one thread at a time.
 */
final class ProbeNode implements AutoCloseable {

    /** Longer than any train lasts. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private interface Asking {
        JsonObject ask(JsonObject message) throws IOException;
    }

    private interface Closing {
        void close() throws IOException;
    }

    /** What a point has counted. */
    record Counts(List<TrainCount> trains, long overflowed, Map<String, Integer> queries) {}

    private final String name;
    private final Asking asking;
    private final Closing connection;

    private ProbeNode(String name, Asking asking, Closing connection) {
        this.name = name;
        this.asking = asking;
        this.connection = connection;
    }

    /** This machine. */
    static ProbeNode here(String name, ProbeService service) {
        return new ProbeNode(name, service::answer, service::close);
    }

    /** The node at the other end. */
    static ProbeNode at(String name, NodeChannel channel) throws IOException {
        channel.waitAtMost(PATIENCE);
        return new ProbeNode(
                name,
                message -> {
                    channel.say(message);
                    return channel.hear();
                },
                channel::close);
    }

    /** What all points get. */
    record Opening(long probe, List<InetAddress> groups, int port, int bufferBytes) {}

    /** Opens its point. */
    ProbeFacts open(Opening opening, int number, InetAddress towards) throws IOException {
        JsonObject message = NodeChannel.message("probe-open");
        message.put("probe", opening.probe());
        message.put("number", number);
        message.put("towards", towards.getHostAddress());
        JsonArray groups = new JsonArray();
        opening.groups().forEach(group -> groups.add(group.getHostAddress()));
        message.put("groups", groups);
        message.put("port", opening.port());
        message.put("bufferBytes", opening.bufferBytes());
        return ProbeFacts.of(ask(message, "probe-opened").getObject("facts"));
    }

    /**
     * Sends a train.
     *
     * @return how many datagrams were sent
     */
    int send(ProbeTrain train) throws IOException {
        JsonObject message = NodeChannel.message("probe-send");
        message.put("train", train.toJson());
        return ask(message, "probe-sent").getInt("sent");
    }

    /** What arrived of a sender's trains. */
    Counts counts(int sender) throws IOException {
        JsonObject message = NodeChannel.message("probe-count");
        message.put("sender", sender);
        JsonObject answer = ask(message, "probe-counted");
        List<TrainCount> trains = new ArrayList<>();
        for (Object train : answer.getArray("trains", new JsonArray())) {
            trains.add(TrainCount.of((JsonObject) train));
        }
        Map<String, Integer> queries = new TreeMap<>();
        JsonObject heard = answer.getObject("queries", new JsonObject());
        heard.keySet().forEach(querier -> queries.put(querier, heard.getInt(querier)));
        return new Counts(trains, answer.getLong("overflowed"), queries);
    }

    private JsonObject ask(JsonObject message, String expected) throws IOException {
        JsonObject answer = asking.ask(message);
        if (!NodeChannel.type(answer).equals(expected)) {
            throw new IOException(name + ": " + answer.getString("reason", "it does not answer"));
        }
        return answer;
    }

    /** The address of a point, for unicast. */
    static InetSocketAddress unicast(ProbeFacts facts) {
        return new InetSocketAddress(facts.address(), facts.port());
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}

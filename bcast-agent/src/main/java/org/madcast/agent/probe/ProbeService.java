package org.madcast.agent.probe;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.node.NodeChannel;

/**
 * A node's part in a probe: executes commands, message by message. For one thread.
 *
 * <p>{@code probe-open} is answered by {@code probe-opened} with the {@link ProbeFacts}, {@code
 * probe-send} by {@code probe-sent}, {@code probe-count} by {@code probe-counted}; each may be
 * answered by {@code probe-failed} with a reason.
 */
public final class ProbeService implements AutoCloseable {

    private static final int MAX_BUFFER_BYTES = 64 << 20;

    private final String node;
    private final @Nullable String interfaceName;
    private @Nullable ProbePoint point;

    /**
     * For a node.
     *
     * @param node its name
     * @param interfaceName the interface that it uses, or null for the one towards the prober
     */
    public ProbeService(String node, @Nullable String interfaceName) {
        this.node = node;
        this.interfaceName = interfaceName;
    }

    /** True for the messages that {@link #answer} understands. */
    public static boolean understands(JsonObject message) {
        return NodeChannel.type(message).startsWith("probe-");
    }

    /**
     * Does what a message says.
     *
     * @return the answer
     */
    public JsonObject answer(JsonObject message) {
        try {
            return switch (NodeChannel.type(message)) {
                case "probe-open" -> open(message);
                case "probe-send" -> send(message);
                case "probe-count" -> count(message);
                default -> throw new IOException("an unknown message");
            };
        } catch (IOException | IllegalArgumentException problem) {
            JsonObject failed = NodeChannel.message("probe-failed");
            failed.put("reason", String.valueOf(problem.getMessage()));
            return failed;
        }
    }

    private JsonObject open(JsonObject message) throws IOException {
        close();
        InetAddress towards = InetAddress.ofLiteral(message.getString("towards", ""));
        NetworkInterface leading = interfaceTowards(towards);
        NetworkInterface device = interfaceName == null ? leading : find(interfaceName);
        InetAddress local = device.equals(leading) ? localTowards(towards) : firstAddress(device);
        List<InetSocketAddress> groups = new ArrayList<>();
        for (Object group : message.getArray("groups", new JsonArray())) {
            groups.add(
                    new InetSocketAddress(
                            InetAddress.ofLiteral(String.valueOf(group)), message.getInt("port")));
        }
        if (groups.isEmpty()) {
            throw new IOException("no groups were named");
        }
        ProbePoint.Place place =
                new ProbePoint.Place(
                        message.getLong("probe"), message.getInt("number"), device, local);
        int bufferBytes = Math.clamp(message.getInt("bufferBytes"), 1, MAX_BUFFER_BYTES);
        ProbePoint opened = ProbePoint.open(place, groups, bufferBytes);
        point = opened;
        JsonObject answer = NodeChannel.message("probe-opened");
        answer.put(
                "facts",
                new ProbeFacts(
                                node,
                                device.getName(),
                                leading.getName(),
                                local,
                                opened.port(),
                                device.getMTU(),
                                opened.receiveBufferBytes(),
                                opened.hearsQueriers(),
                                CongestionControl.ofThisHost())
                        .toJson());
        return answer;
    }

    private static InetAddress localTowards(InetAddress other) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(new InetSocketAddress(other, NodeChannel.DEFAULT_PORT));
            return socket.getLocalAddress();
        }
    }

    private static NetworkInterface interfaceTowards(InetAddress other) throws IOException {
        NetworkInterface found = NetworkInterface.getByInetAddress(localTowards(other));
        if (found == null) {
            throw new IOException("no interface leads to " + other.getHostAddress());
        }
        return found;
    }

    private static NetworkInterface find(String nameOrAddress) throws IOException {
        NetworkInterface found = NetworkInterface.getByName(nameOrAddress);
        if (found == null && Character.isDigit(nameOrAddress.charAt(0))) {
            found = NetworkInterface.getByInetAddress(InetAddress.ofLiteral(nameOrAddress));
        }
        if (found == null) {
            throw new IOException("it has no interface " + nameOrAddress);
        }
        return found;
    }

    private static InetAddress firstAddress(NetworkInterface device) throws IOException {
        return device.inetAddresses()
                .filter(address -> address instanceof Inet4Address)
                .findFirst()
                .orElseThrow(() ->
                        new IOException("interface " + device.getName() + " has no IPv4 address"));
    }

    private ProbePoint opened() throws IOException {
        if (point == null) {
            throw new IOException("no probe is open");
        }
        return point;
    }

    private JsonObject send(JsonObject message) throws IOException {
        ProbeTrain train = ProbeTrain.of(message.getObject("train", new JsonObject()));
        JsonObject answer = NodeChannel.message("probe-sent");
        answer.put("sent", opened().send(train));
        return answer;
    }

    private JsonObject count(JsonObject message) throws IOException {
        ProbePoint from = opened();
        JsonObject answer = NodeChannel.message("probe-counted");
        answer.put(
                "trains",
                ProbeFacts.array(
                        from.counts(message.getInt("sender")).stream()
                                .map(TrainCount::toJson)
                                .toList()));
        answer.put("overflowed", from.overflowed());
        JsonObject queries = new JsonObject();
        for (Map.Entry<String, Integer> querier : from.queries().entrySet()) {
            queries.put(querier.getKey(), querier.getValue());
        }
        answer.put("queries", queries);
        return answer;
    }

    @Override
    public void close() throws IOException {
        if (point != null) {
            point.close();
            point = null;
        }
    }
}

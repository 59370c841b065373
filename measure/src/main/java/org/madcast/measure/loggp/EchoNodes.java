package org.madcast.measure.loggp;

import com.grack.nanojson.JsonObject;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.node.NodeChannel;
import org.madcast.agent.node.NodeName;
import org.madcast.agent.node.NodeToken;
import org.madcast.agent.probe.GroupToTry;

/** The nodes that answer, each over a connection to its agent. For one thread. */
final class EchoNodes implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final List<NodeChannel> channels = new ArrayList<>();
    private final List<InetSocketAddress> echoes = new ArrayList<>();
    private final InetSocketAddress group = new GroupToTry(ThreadLocalRandom.current()).draw();
    private boolean joined = true;

    /**
     * Connects to these nodes; none of them answers yet.
     *
     * @throws CommandFailure naming the one that is not there
     */
    static EchoNodes connect(List<NodeName> nodes, NodeToken token, Duration timeout) {
        EchoNodes made = new EchoNodes();
        for (NodeName node : nodes) {
            try {
                made.channels.add(NodeChannel.connect(node.address(), token, timeout));
            } catch (IOException e) {
                made.close();
                throw new CommandFailure(ExitCode.NODE, node.text() + ": " + e.getMessage(), e);
            }
        }
        return made;
    }

    int size() {
        return channels.size();
    }

    /** Lets one more node answer, also to the group. */
    void open() throws IOException {
        NodeChannel channel = channels.get(echoes.size());
        JsonObject message = NodeChannel.message("loggp-open");
        message.put("group", group.getAddress().getHostAddress());
        message.put("port", group.getPort());
        channel.waitAtMost(PATIENCE);
        channel.say(message);
        JsonObject opened = channel.hear();
        if (!NodeChannel.type(opened).equals("loggp-opened")) {
            throw new IOException("its agent knows no loggp; is it as new as this program?");
        }
        joined &= opened.getBoolean("joined", false);
        echoes.add(new InetSocketAddress(channel.remoteAddress(), opened.getInt("port")));
    }

    /** One message after the other to each node that is open. */
    RoundTrips each() throws IOException {
        return RoundTrips.to(List.copyOf(echoes));
    }

    /** One message to all nodes that are open. */
    RoundTrips group() throws IOException {
        NetworkInterface device =
                NetworkInterface.getByInetAddress(channels.getFirst().localAddress());
        return RoundTrips.toGroup(group, device, echoes.size());
    }

    /** False when a node could not join the group. */
    boolean joined() {
        return joined;
    }

    @Override
    public void close() {
        channels.forEach(NodeChannel::close);
    }
}

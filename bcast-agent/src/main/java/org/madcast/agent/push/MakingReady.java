package org.madcast.agent.push;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.madcast.agent.node.NodeChannel;
import org.madcast.agent.node.NodeToken;
import org.madcast.agent.process.ProcessEnd;
import org.madcast.client.Communicator;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.MadcastException;

/**
 * Does once, on a thread beside the one that still reads the command line, what every push does a
 * little later: shakes hands with itself, makes a communicator of one rank, finds how the process
 * will end. What takes long the first time, ciphers, native calls, sockets, is loaded then. Nothing
 * depends on it: what fails here is told by the push itself, if it fails there too.
 */
final class MakingReady {

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private MakingReady() {}

    static void start() {
        Thread _ = Thread.ofPlatform().daemon().name("make-ready").start(MakingReady::run);
    }

    private static void run() {
        try {
            shakeHands();
            joinAlone();
            ProcessEnd.makeReady();
        } catch (IOException | MadcastException _) {
            // The push will tell.
        }
    }

    private static void shakeHands() throws IOException {
        NodeToken token = NodeToken.ofNobody();
        try (ServerSocket agent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread _ = Thread.ofVirtual().start(() -> accept(agent, token));
            InetSocketAddress address = (InetSocketAddress) agent.getLocalSocketAddress();
            NodeChannel.connect(address, token, PATIENCE).close();
        }
    }

    private static void accept(ServerSocket agent, NodeToken token) {
        try {
            NodeChannel.accept(agent.accept(), "", token).close();
        } catch (IOException _) {
            // The other side fails too.
        }
    }

    private static void joinAlone() {
        Communicator.join(
                        CommunicatorConfig.builder("make-ready", 0, 1)
                                .networkInterface("lo")
                                .madcap(CommunicatorConfig.MADCAP_OFF)
                                .build())
                .close();
    }
}

package org.madcast.agent.daemon;

import com.grack.nanojson.JsonObject;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MulticastSocket;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.node.NodeChannel;

/**
 * The other end of {@code madcast loggp}: answers the last message of a sample when all before it
 * have arrived, whether they came to its own address or to a group. It is opened by a message of
 * type {@code loggp-open}, which may name a {@code group} and its {@code port}, answered by {@code
 * loggp-opened} with its port and whether it has joined, and lives as long as the connection. For
 * one thread, beside its own.
 */
public final class Echo implements AutoCloseable {

    /** A message begins with three numbers of 4 bytes: its sample, which it is, and of how many. */
    public static final int HEADER_BYTES = 12;

    private static final int BUFFER_BYTES = 4 << 20;

    private final InetAddress local;
    private final InetAddress peer;
    private final @Nullable String interfaceName;
    private final List<DatagramSocket> sockets = new ArrayList<>();

    /**
     * For one peer.
     *
     * @param local where it listens
     * @param peer the only one that is answered
     * @param interfaceName where it joins groups, or null for the interface of {@code local}
     */
    Echo(InetAddress local, InetAddress peer, @Nullable String interfaceName) {
        this.local = local;
        this.peer = peer;
        this.interfaceName = interfaceName;
    }

    /** True for the message that {@link #open} is for. */
    static boolean understands(JsonObject message) {
        return NodeChannel.type(message).equals("loggp-open");
    }

    /** Begins to listen; the answer says where. */
    JsonObject open(JsonObject message) throws IOException {
        close();
        DatagramSocket own = new DatagramSocket(new InetSocketAddress(local, 0));
        start(own, own);
        JsonObject answer = NodeChannel.message("loggp-opened");
        answer.put("port", own.getLocalPort());
        String group = message.getString("group", "");
        if (!group.isEmpty()) {
            try {
                start(join(InetAddress.ofLiteral(group), message.getInt("port")), own);
                answer.put("joined", true);
            } catch (IOException | IllegalArgumentException e) {
                answer.put("reason", String.valueOf(e.getMessage()));
            }
        }
        return answer;
    }

    private DatagramSocket join(InetAddress group, int port) throws IOException {
        NetworkInterface device =
                interfaceName == null
                        ? NetworkInterface.getByInetAddress(local)
                        : NetworkInterface.getByName(interfaceName);
        MulticastSocket made = new MulticastSocket(new InetSocketAddress(group, port));
        try {
            made.joinGroup(new InetSocketAddress(group, port), device);
            return made;
        } catch (IOException e) {
            made.close();
            throw e;
        }
    }

    private void start(DatagramSocket from, DatagramSocket answers) throws IOException {
        sockets.add(from);
        from.setReceiveBufferSize(BUFFER_BYTES);
        Thread _ =
                Thread.ofPlatform().daemon().name("loggp-echo").start(() -> serve(from, answers));
    }

    private void serve(DatagramSocket from, DatagramSocket answers) {
        byte[] message = new byte[1 << 16];
        DatagramPacket packet = new DatagramPacket(message, message.length);
        int sample = 0;
        int seen = 0;
        try {
            while (true) {
                packet.setLength(message.length);
                from.receive(packet);
                if (packet.getLength() < HEADER_BYTES || !packet.getAddress().equals(peer)) {
                    continue;
                }
                ByteBuffer header = ByteBuffer.wrap(message);
                seen = header.getInt(0) == sample ? seen + 1 : 1;
                sample = header.getInt(0);
                if (seen == header.getInt(8)) {
                    answers.send(packet);
                }
            }
        } catch (IOException _) {
            // Closed: the measurement is over.
        }
    }

    @Override
    public void close() {
        sockets.forEach(DatagramSocket::close);
        sockets.clear();
    }
}

package org.madcast.agent.daemon;

import com.grack.nanojson.JsonObject;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.node.NodeChannel;

/**
 * The other end of {@code madcast loggp}: answers the last message of a sample when all before it
 * have arrived. It is opened by a message of type {@code loggp-open}, answered by {@code
 * loggp-opened} with its port, and lives as long as the connection. For one thread, beside its own.
 */
public final class Echo implements AutoCloseable {

    /** A message begins with three numbers of 4 bytes: its sample, which it is, and of how many. */
    public static final int HEADER_BYTES = 12;

    private final InetAddress local;
    private final InetAddress peer;
    private @Nullable DatagramSocket socket;

    /**
     * For one peer.
     *
     * @param local where it listens
     * @param peer the only one that is answered
     */
    Echo(InetAddress local, InetAddress peer) {
        this.local = local;
        this.peer = peer;
    }

    /** True for the message that {@link #open} is for. */
    static boolean understands(JsonObject message) {
        return NodeChannel.type(message).equals("loggp-open");
    }

    /** Begins to listen; the answer says where. */
    JsonObject open() throws IOException {
        close();
        DatagramSocket made = new DatagramSocket(new InetSocketAddress(local, 0));
        made.setReceiveBufferSize(4 << 20);
        socket = made;
        Thread _ = Thread.ofPlatform().daemon().name("loggp-echo").start(() -> serve(made));
        JsonObject answer = NodeChannel.message("loggp-opened");
        answer.put("port", made.getLocalPort());
        return answer;
    }

    private void serve(DatagramSocket from) {
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
                    from.send(packet);
                }
            }
        } catch (IOException _) {
            // Closed: the measurement is over.
        }
    }

    @Override
    public void close() {
        if (socket != null) {
            socket.close();
            socket = null;
        }
    }
}

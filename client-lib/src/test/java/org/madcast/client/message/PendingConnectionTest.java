package org.madcast.client.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class PendingConnectionTest {

    /**
     * One thread connects while another waits at the selector, which calls a channel ready whose
     * connect has not begun. The first channels fill the listener, so that the last has to wait.
     */
    @Test
    void aChannelThatIsReadyBeforeItIsConnectedSaysNothingYet() throws Exception {
        try (ServerSocketChannel listener = ServerSocketChannel.open();
                Selector selector = Selector.open();
                SocketChannel channel = SocketChannel.open()) {
            InetAddress loopback = InetAddress.getLoopbackAddress();
            listener.bind(new InetSocketAddress(loopback, 0), 1);
            List<SocketChannel> before = fill(listener);
            PendingConnection pending =
                    new PendingConnection(channel, selector, 1, System.nanoTime());
            PeerSecret secret = PeerSecret.of(null, Endpoints.TOKEN);
            pending.begin(Handshake.connecting(secret, 0, 1));
            assertThat(selector.selectNow()).isEqualTo(1);
            assertThat(pending.key.isConnectable()).isTrue();
            assertThat(channel.connect(listener.getLocalAddress())).isFalse();
            pending.greet();
            assertThat(channel.isConnected()).isFalse();
            for (SocketChannel each : before) {
                listener.accept().close();
                each.close();
            }
            try (SocketChannel accepted = listener.accept()) {
                selector.selectedKeys().clear();
                assertThat(selector.select(Duration.ofSeconds(10).toMillis())).isEqualTo(1);
                pending.greet();
                ByteBuffer hello = ByteBuffer.allocate(Handshake.HELLO_BYTES);
                while (hello.hasRemaining()) {
                    assertThat(accepted.read(hello)).isPositive();
                }
            }
        }
    }

    private static List<SocketChannel> fill(ServerSocketChannel listener) throws Exception {
        List<SocketChannel> connected = new ArrayList<>();
        while (true) {
            SocketChannel next = SocketChannel.open();
            next.configureBlocking(false);
            boolean _ = next.connect(listener.getLocalAddress());
            Thread.sleep(20);
            if (!next.finishConnect()) {
                next.close();
                return connected;
            }
            connected.add(next);
        }
    }
}

package org.madcast.client.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ranks whose messages have different versions refuse each other, and say why. */
@Timeout(30)
class HandshakeVersionTest {

    private static final PeerSecret SECRET = PeerSecret.of(null, Endpoints.TOKEN);
    private static final int OTHER = Handshake.VERSION + 1;
    private static final InetSocketAddress ANY =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final List<String> lost = new ArrayList<>();

    private static byte[] helloOf(int version, PeerSecret secret, int own, int wanted) {
        byte[] hello = Handshake.connecting(secret, own, wanted).hello().clone();
        ByteBuffer.wrap(hello).putInt(4, version);
        return hello;
    }

    private static Handshake accepted(byte[] hello) {
        return Objects.requireNonNull(Handshake.accepting(SECRET, 0, 2, hello));
    }

    @Test
    void theReplyToAnotherVersionIsProvenAndNamesIt() {
        Handshake connecting = Handshake.connecting(SECRET, 1, 0);
        ByteBuffer.wrap(connecting.hello()).putInt(4, OTHER);
        byte[] reply = accepted(connecting.hello()).reply(false);
        assertThatThrownBy(() -> connecting.onReply(reply))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("another version of the library");
    }

    @Test
    void whoChangesTheVersionOnTheWayIsNotBelieved() throws IOException {
        Handshake connecting = Handshake.connecting(SECRET, 1, 0);
        byte[] changed = connecting.hello().clone();
        ByteBuffer.wrap(changed).putInt(4, OTHER);
        byte[] reply = accepted(changed).reply(false);
        assertThat(connecting.onReply(reply)).isNull();
    }

    @Test
    void helloOfAnotherWorldIsNotAnsweredWhateverItsVersion() {
        PeerSecret other = PeerSecret.of(null, Endpoints.TOKEN + 1);
        assertThat(Handshake.accepting(SECRET, 0, 2, helloOf(OTHER, other, 1, 0))).isNull();
        assertThat(Handshake.accepting(SECRET, 0, 2, helloOf(OTHER, SECRET, 1, 1))).isNull();
    }

    /** The other rank closes without an answer, as version 1 does, but has said hello itself. */
    @Test
    void aRankIsLostForTheVersionThatItsHelloNamed() throws IOException {
        try (ServerSocketChannel own = ServerSocketChannel.open().bind(ANY);
                ServerSocketChannel other = ServerSocketChannel.open().bind(ANY)) {
            TcpCarrier carrier = carrier(own, other);
            carrier.send(
                    1,
                    new Carrier.Frame(
                            FrameHeader.bare(FrameHeader.Type.PING, 0), MemorySegment.NULL, this));
            try (SocketChannel theirs = SocketChannel.open(own.getLocalAddress())) {
                theirs.write(ByteBuffer.wrap(helloOf(OTHER, SECRET, 1, 0)));
                ByteBuffer reply = ByteBuffer.allocate(Handshake.REPLY_BYTES);
                theirs.configureBlocking(false);
                while (reply.hasRemaining()) {
                    turn(carrier);
                    assertThat(theirs.read(reply)).isNotNegative();
                }
            }
            assertThat(lost).isEmpty();
            while (lost.isEmpty()) {
                SocketChannel again = other.accept();
                if (again != null) {
                    again.close();
                }
                turn(carrier);
                carrier.onTime(System.nanoTime(), 0);
            }
            assertThat(lost)
                    .singleElement()
                    .asString()
                    .startsWith("1: ")
                    .contains("another version of the library")
                    .contains("version " + OTHER + " and this rank's " + Handshake.VERSION);
            carrier.close();
        }
    }

    private TcpCarrier carrier(ServerSocketChannel own, ServerSocketChannel other)
            throws IOException {
        List<InetSocketAddress> addresses =
                List.of(
                        (InetSocketAddress) own.getLocalAddress(),
                        (InetSocketAddress) other.getLocalAddress());
        other.configureBlocking(false);
        TcpCarrier carrier =
                new TcpCarrier(
                        new MessageWorld(0, addresses, Endpoints.TOKEN, null, false, 0),
                        SECRET,
                        own,
                        (_, _) -> {},
                        TimeUnit.SECONDS.toNanos(1));
        carrier.events(new Losses(lost));
        return carrier;
    }

    private static void turn(TcpCarrier carrier) throws IOException {
        carrier.select(TimeUnit.MILLISECONDS.toNanos(10), true);
        carrier.turn();
    }
}

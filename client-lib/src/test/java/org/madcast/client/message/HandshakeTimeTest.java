package org.madcast.client.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a rank that does not answer is given up, on a clock that the test moves. */
@Timeout(30)
class HandshakeTimeTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long PATIENCE = 20 * SECOND;

    private final List<String> lost = new ArrayList<>();

    @Test
    void theTimeInWhichThisProcessWasStoppedIsForgiven() throws IOException {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (ServerSocketChannel own = ServerSocketChannel.open().bind(any);
                ServerSocket silent = new ServerSocket(0, 5, any.getAddress())) {
            List<InetSocketAddress> addresses =
                    List.of(
                            (InetSocketAddress) own.getLocalAddress(),
                            (InetSocketAddress) silent.getLocalSocketAddress());
            TcpCarrier carrier =
                    new TcpCarrier(
                            new MessageWorld(0, addresses, Endpoints.TOKEN, null, false, 0),
                            PeerSecret.of(null, Endpoints.TOKEN),
                            own,
                            (_, _) -> {},
                            PATIENCE);
            carrier.events(new Losses(lost));
            long beginNs = System.nanoTime();
            FrameHeader header = FrameHeader.bare(FrameHeader.Type.PING, 0);
            carrier.send(1, new Carrier.Frame(header, MemorySegment.NULL, this));
            long laterNs = System.nanoTime();
            carrier.onTime(beginNs + PATIENCE - SECOND, 0);
            carrier.onTime(beginNs + PATIENCE + 5 * SECOND, 6 * SECOND);
            assertThat(lost).isEmpty();
            carrier.onTime(laterNs + PATIENCE + 7 * SECOND, 0);
            assertThat(lost).hasSize(1);
            assertThat(lost.getFirst()).startsWith("1: ").contains("gets no answer");
            carrier.close();
        }
    }
}

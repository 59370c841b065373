package org.madcast.client.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.madcast.client.FewDescriptors;
import org.madcast.client.wire.Arrival;

/** From one group to another, when the system has no socket to give. */
@Timeout(180)
final class RegroupTest {

    private static final InetAddress HERE = InetAddress.ofLiteral("127.0.0.1");
    private static final SocketBuffers BUFFERS = new SocketBuffers(1 << 20, 64 << 10);

    private static InetSocketAddress group(int last) {
        return new InetSocketAddress(InetAddress.ofLiteral("239.255.77." + last), 45_000 + last);
    }

    @Test
    void whoGetsNoSocketIsInNoGroupUntilTheNextTime() throws Exception {
        assumeTrue(NativeTransport.isAvailable());
        NetworkAttachment here = NetworkAttachment.find(null, null, HERE);
        try (NativeTransport transport = NativeTransport.open(here, group(13), 1, BUFFERS);
                NativeTransport other = NativeTransport.open(here, group(13), 1, BUFFERS)) {
            for (NativeTransport each : List.of(transport, other)) {
                each.peers(List.of(transport.localAddress(), other.localAddress()), 0);
            }
            assertThat(heard(other, transport)).isTrue();
            try (FewDescriptors _ = FewDescriptors.none()) {
                assertThatThrownBy(() -> transport.regroup(group(14)))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("socket");
            }
            assertThat(heard(other, transport)).isFalse();
            transport.regroup(group(14));
            other.regroup(group(14));
            assertThat(heard(other, transport)).isTrue();
        }
    }

    /** Whether what one sends to the group comes before what it sends afterwards to the other. */
    private static boolean heard(NativeTransport from, NativeTransport to) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment toGroup = arena.allocate(100);
            MemorySegment toRank = arena.allocate(50);
            assertThat(from.send(toGroup, 100, -1)).isEqualTo(100);
            assertThat(from.send(toRank, 50, 0)).isEqualTo(50);
            boolean heard = false;
            long endNs = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            while (System.nanoTime() < endNs) {
                Arrival arrival = to.receive();
                if (arrival == null) {
                    to.await(Duration.ofSeconds(1).toNanos(), 0, false);
                } else if (arrival.datagram().byteSize() == 50) {
                    return heard;
                } else {
                    heard = true;
                }
            }
            throw new AssertionError("nothing came");
        }
    }
}

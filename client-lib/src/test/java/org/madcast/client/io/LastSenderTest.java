package org.madcast.client.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.madcast.client.wire.Arrival;

/** Both transports know who sent what they give, and where to. */
@Timeout(180)
final class LastSenderTest {

    private static final InetSocketAddress GROUP =
            new InetSocketAddress(InetAddress.ofLiteral("239.255.77.9"), 45_009);

    private static final SocketBuffers BUFFERS = new SocketBuffers(1 << 20, 64 << 10);

    private static NetworkAttachment loopback() throws IOException {
        return NetworkAttachment.find(null, null, InetAddress.ofLiteral("127.0.0.1"));
    }

    @Test
    void portable() throws Exception {
        try (DatagramTransport transport = NioTransport.open(loopback(), GROUP, 1, 1472, BUFFERS)) {
            check(transport);
        }
    }

    @Test
    void ofLinux() throws Exception {
        assumeTrue(NativeTransport.isAvailable());
        try (DatagramTransport transport = NativeTransport.open(loopback(), GROUP, 1, BUFFERS)) {
            check(transport);
        }
    }

    private static void check(DatagramTransport transport) throws IOException {
        InetAddress here = InetAddress.ofLiteral("127.0.0.1");
        try (DatagramSocket one = new DatagramSocket(0, here);
                DatagramSocket other = new DatagramSocket(0, here)) {
            for (DatagramSocket sender : new DatagramSocket[] {one, other, one}) {
                sender.send(new DatagramPacket(new byte[100], 100, transport.localAddress()));
                assertThat(receive(transport).ofGroup()).isFalse();
                assertThat(transport.lastSender())
                        .isEqualTo(new InetSocketAddress(here, sender.getLocalPort()));
            }
            other.setOption(
                    StandardSocketOptions.IP_MULTICAST_IF, NetworkInterface.getByInetAddress(here));
            other.send(new DatagramPacket(new byte[100], 100, GROUP));
            assertThat(receive(transport).ofGroup()).isTrue();
        }
    }

    private static Arrival receive(DatagramTransport transport) throws IOException {
        long endNs = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        Arrival arrival = transport.receive();
        while (arrival == null && System.nanoTime() < endNs) {
            transport.await(Duration.ofSeconds(1).toNanos(), 0, false);
            arrival = transport.receive();
        }
        return Objects.requireNonNull(arrival, "nothing came");
    }
}

package org.madcast.client.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.madcast.client.wire.Arrival;

/** The native transport knows how long a datagram lay in the kernel before anybody took it. */
@Timeout(180)
final class WaitedTest {

    private static final InetSocketAddress GROUP =
            new InetSocketAddress(InetAddress.ofLiteral("239.255.77.10"), 45_010);
    private static final long PATIENCE_NS = Duration.ofSeconds(60).toNanos();
    private static final long A_WHILE_NS = Duration.ofMillis(30).toNanos();

    @Test
    void whatNobodyTookForAWhileSaysSo() throws Exception {
        assumeTrue(NativeTransport.isAvailable());
        InetAddress here = InetAddress.ofLiteral("127.0.0.1");
        NetworkAttachment loopback = NetworkAttachment.find(null, null, here);
        try (DatagramTransport transport =
                        NativeTransport.open(
                                loopback, GROUP, 1, new SocketBuffers(8 << 10, 64 << 10));
                DatagramSocket sender = new DatagramSocket(0, here)) {
            DatagramPacket packet =
                    new DatagramPacket(new byte[100], 100, transport.localAddress());
            long begunNs = System.nanoTime();
            long sentNs;
            long waitedNs;
            // The kernel begins to stamp a moment after the machine's first socket asks for it.
            do {
                sentNs = System.nanoTime();
                sender.send(packet);
                // the passing of time is what is tested; the socket is not touched meanwhile
                while (System.nanoTime() - sentNs < A_WHILE_NS) {
                    Thread.onSpinWait();
                }
                waitedNs = waitedNs(transport);
            } while (waitedNs == 0 && sentNs - begunNs < PATIENCE_NS);
            assertThat(waitedNs)
                    .isBetween(A_WHILE_NS - 2_000_000, System.nanoTime() - sentNs + 2_000_000);
            long leastNs = Long.MAX_VALUE;
            for (int i = 0; i < 100 && leastNs > 0; i++) {
                sender.send(packet);
                leastNs = waitedNs(transport);
            }
            assertThat(leastNs).as("what is taken at once has not waited").isZero();
        }
    }

    private static long waitedNs(DatagramTransport transport) throws Exception {
        long endNs = System.nanoTime() + PATIENCE_NS;
        Arrival arrival = transport.receive();
        while (arrival == null && System.nanoTime() < endNs) {
            transport.await(PATIENCE_NS, 0, false);
            arrival = transport.receive();
        }
        return Objects.requireNonNull(arrival, "nothing came").waitedNs();
    }
}

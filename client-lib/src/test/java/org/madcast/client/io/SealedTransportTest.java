package org.madcast.client.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import javax.crypto.SecretKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.madcast.client.BroadcastParameters.SocketPath;
import org.madcast.client.JobKey;
import org.madcast.client.wire.Arrival;

/** Sealed datagrams on real sockets. */
@Timeout(180)
final class SealedTransportTest {

    private static final InetAddress HERE = InetAddress.ofLiteral("127.0.0.1");
    private static final InetSocketAddress GROUP =
            new InetSocketAddress(InetAddress.ofLiteral("239.255.77.11"), 45_011);
    private static final SocketBuffers BUFFERS = new SocketBuffers(4 << 20, 1 << 20);
    private static final SecretKey KEY = JobKey.ofHex("00".repeat(32)).ofCommunicator(1);

    private static NetworkAttachment loopback() throws IOException {
        return NetworkAttachment.find(null, null, HERE);
    }

    private static MemorySegment receive(DatagramTransport transport) throws IOException {
        long endNs = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        Arrival arrival = transport.receive();
        while (arrival == null && System.nanoTime() < endNs) {
            transport.await(Duration.ofSeconds(1).toNanos(), 0, false);
            arrival = transport.receive();
        }
        return Objects.requireNonNull(arrival, "nothing came").datagram().segment();
    }

    /** The caller has other things to do, however many of them there are. */
    @Test
    void whatDoesNotOpenIsCountedOneByOne() throws IOException {
        try (DatagramTransport transport =
                        new SealedTransport(
                                NioTransport.open(loopback(), GROUP, 1, 1472, BUFFERS),
                                KEY,
                                0,
                                1448);
                DatagramSocket stranger = new DatagramSocket(0, HERE)) {
            for (int i = 0; i < 20; i++) {
                stranger.send(new DatagramPacket(new byte[100], 100, transport.localAddress()));
            }
            for (int i = 1; i <= 20; i++) {
                MemorySegment refused = receive(transport);
                assertThat(refused.byteSize()).isZero();
                assertThat(transport.refused()).isEqualTo(i);
            }
            assertThat(transport.receive()).isNull();
        }
    }

    /** A flood costs little, and what a rank sends meanwhile is opened. */
    @ParameterizedTest
    @EnumSource(SocketPath.class)
    void theKeyIsTriedOnFewOfManyThatAreNoRanks(SocketPath path) throws IOException {
        assumeTrue(path == SocketPath.NIO || NativeTransport.isAvailable());
        int flood = 100 * RefusalLimit.BURST;
        long startNs = System.nanoTime();
        try (Arena arena = Arena.ofConfined();
                SealedTransport zero = open(path, 0);
                SealedTransport one = open(path, 1);
                DatagramSocket stranger = new DatagramSocket(0, HERE)) {
            List<InetSocketAddress> ranks = List.of(zero.localAddress(), one.localAddress());
            zero.peers(ranks, 0);
            one.peers(ranks, 1);
            MemorySegment honest = arena.allocate(500);
            byte[] forged = new byte[1400];
            forged[1] = 1;
            for (int sent = 0; sent < flood; sent += 20) {
                for (int i = 0; i < 20; i++) {
                    stranger.send(new DatagramPacket(forged, forged.length, zero.localAddress()));
                }
                assertThat(one.send(honest, 500, 0)).isEqualTo(500);
                for (int i = 0; i < 20; i++) {
                    assertThat(receive(zero).byteSize()).isZero();
                }
                assertThat(receive(zero).byteSize()).isEqualTo(500);
            }
            double seconds = (System.nanoTime() - startNs) / 1e9;
            long honestDatagrams = flood / 20;
            assertThat(zero.refused()).isEqualTo(flood);
            assertThat(zero.tried() - honestDatagrams)
                    .isLessThan(
                            (long) (2 * RefusalLimit.BURST + RefusalLimit.PER_SECOND * seconds)
                                    + 2);
        }
    }

    private static SealedTransport open(SocketPath path, int rank) throws IOException {
        DatagramTransport plain = Transports.open(path, loopback(), GROUP, 1, 1472, BUFFERS);
        return new SealedTransport(plain, KEY, rank, 1448);
    }

    /** A rank with a larger interface than others seals in batches of what all agreed on. */
    @ParameterizedTest
    @CsvSource({"32729, 1390", "1499, 1072", "1448, 1448"})
    void aBatchOfSmallerDatagramsThanOnesOwnLeavesAsAWhole(int ownBytes, int agreedBytes)
            throws IOException {
        assumeTrue(NativeTransport.isAvailable());
        try (Arena arena = Arena.ofConfined();
                DatagramTransport transport =
                        new SealedTransport(
                                NativeTransport.open(loopback(), GROUP, 1, BUFFERS),
                                KEY,
                                0,
                                ownBytes)) {
            transport.peers(List.of(transport.localAddress()), 0);
            int most = Math.clamp(transport.batchBytes(agreedBytes) / agreedBytes, 1, 64);
            assertThat(most).isGreaterThan(1);
            MemorySegment batch = arena.allocate((long) most * agreedBytes);
            assertThat(transport.send(batch, agreedBytes, 0)).isEqualTo((int) batch.byteSize());
            for (int i = 0; i < most; i++) {
                MemorySegment datagram = receive(transport);
                assertThat(datagram.byteSize()).as("%d of %d", i, most).isEqualTo(agreedBytes);
            }
            assertThat(transport.refused()).isZero();
        }
    }
}

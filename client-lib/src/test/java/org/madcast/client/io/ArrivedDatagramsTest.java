package org.madcast.client.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.client.wire.Arrival;

/** However many datagrams wait in a socket, each is handed out once, in order, as it was sent. */
@Timeout(180)
final class ArrivedDatagramsTest {

    private static final InetAddress HERE = InetAddress.ofLiteral("127.0.0.1");
    private static final InetSocketAddress GROUP =
            new InetSocketAddress(InetAddress.ofLiteral("239.255.77.10"), 45_010);
    private static final SocketBuffers BUFFERS = new SocketBuffers(2 << 20, 64 << 10);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

    @BeforeEach
    void onLinux() {
        assumeTrue(NativeTransport.isAvailable());
    }

    private static NativeTransport open() throws IOException {
        return NativeTransport.open(NetworkAttachment.find(null, null, HERE), GROUP, 1, BUFFERS);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8, 9, 16, 100})
    void asManyAsWait(int waiting) throws Exception {
        try (NativeTransport transport = open();
                DatagramSocket one = new DatagramSocket(0, HERE);
                DatagramSocket other = new DatagramSocket(0, HERE)) {
            for (int round = 0; round < 3; round++) {
                for (int i = 0; i < waiting; i++) {
                    send(i % 3 == 0 ? other : one, number(i), transport);
                }
                for (int i = 0; i < waiting; i++) {
                    assertThat(receive(transport).get(INT, 0)).isEqualTo(i);
                    int port = i % 3 == 0 ? other.getLocalPort() : one.getLocalPort();
                    assertThat(transport.lastSender()).isEqualTo(new InetSocketAddress(HERE, port));
                }
                assertThat(transport.receive()).isNull();
            }
        }
    }

    @Test
    void emptyOnesAreNobodys() throws Exception {
        try (NativeTransport transport = open();
                DatagramSocket sender = new DatagramSocket(0, HERE)) {
            for (int i = 0; i < 20; i++) {
                send(sender, i % 2 == 0 ? new byte[0] : number(i), transport);
            }
            for (int i = 1; i < 20; i += 2) {
                assertThat(receive(transport).get(INT, 0)).isEqualTo(i);
            }
            assertThat(transport.receive()).isNull();
        }
    }

    /** Sent in one call and cut by nobody on the way, they arrive in one piece. */
    @Test
    void mergedOnesBetweenSingleOnes() throws Exception {
        int bytes = 1000;
        try (NativeTransport from = open();
                NativeTransport to = open();
                Arena arena = Arena.ofConfined()) {
            from.peers(List.of(from.localAddress(), to.localAddress()), 0);
            List<Integer> lengths = new ArrayList<>();
            for (int parts : new int[] {1, 5, 1, 30, 2}) {
                MemorySegment datagrams = arena.allocate((long) parts * bytes - 300);
                for (int i = 0; i < parts; i++) {
                    datagrams.set(INT, (long) i * bytes, lengths.size());
                    lengths.add(i == parts - 1 ? bytes - 300 : bytes);
                }
                assertThat((long) from.send(datagrams, bytes, 1)).isEqualTo(datagrams.byteSize());
            }
            for (int i : IntStream.range(0, lengths.size()).toArray()) {
                MemorySegment datagram = receive(to);
                assertThat(datagram.get(INT, 0)).isEqualTo(i);
                assertThat(datagram.byteSize()).isEqualTo((long) lengths.get(i));
            }
            assertThat(to.receive()).isNull();
        }
    }

    /** What waited in the socket of the old group is not taken for the new one's. */
    @Test
    void anotherGroupBeginsEmpty() throws Exception {
        InetSocketAddress next =
                new InetSocketAddress(InetAddress.ofLiteral("239.255.77.11"), 45_011);
        try (NativeTransport transport = open()) {
            transport.peers(List.of(transport.localAddress(), transport.localAddress()), 0);
            sendToGroup(transport, 3);
            assertThat(receive(transport).get(INT, 0)).isZero();
            transport.regroup(next);
            sendToGroup(transport, 1);
            assertThat(receive(transport).get(INT, 0)).isZero();
            assertThat(transport.receive()).isNull();
        }
    }

    private static void sendToGroup(NativeTransport transport, int count) {
        try (Arena arena = Arena.ofConfined()) {
            for (int i = 0; i < count; i++) {
                MemorySegment datagram = arena.allocate(100);
                datagram.set(INT, 0, i);
                assertThat(transport.send(datagram, 1472, -1)).isEqualTo(100);
            }
        }
    }

    private static byte[] number(int number) {
        return ByteBuffer.allocate(200).order(ByteOrder.nativeOrder()).putInt(0, number).array();
    }

    private static void send(DatagramSocket from, byte[] bytes, DatagramTransport to)
            throws IOException {
        from.send(new DatagramPacket(bytes, bytes.length, to.localAddress()));
    }

    private static MemorySegment receive(DatagramTransport transport) throws IOException {
        long endNs = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        Arrival arrival = transport.receive();
        while (arrival == null) {
            assertThat(System.nanoTime()).as("nothing came").isLessThan(endNs);
            transport.await(Duration.ofSeconds(1).toNanos(), 0, false);
            arrival = transport.receive();
        }
        return arrival.datagram().segment();
    }
}

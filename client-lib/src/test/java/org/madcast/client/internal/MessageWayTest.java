package org.madcast.client.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.client.Algorithm;
import org.madcast.client.BroadcastParameters;
import org.madcast.client.BroadcastParameters.SocketPath;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.collective.Disseminations;
import org.madcast.client.io.DatagramTransport;
import org.madcast.client.io.EngineLoop;
import org.madcast.client.io.LossyTransport;
import org.madcast.client.io.NetworkAttachment;
import org.madcast.client.io.SocketBuffers;
import org.madcast.client.io.Transports;
import org.madcast.client.lock.Polling;
import org.madcast.client.message.MessageEndpoint;
import org.madcast.client.message.MessageWorld;
import org.madcast.client.protocol.BroadcastEngine;
import org.madcast.client.protocol.EngineConfig;
import org.madcast.client.protocol.GroupState;
import org.madcast.client.protocol.RateLimits;
import org.madcast.client.wire.Arrival;

/** Siebert's second stage over real connections, while datagrams of real sockets are dropped. */
@Timeout(180)
final class MessageWayTest {

    private static final InetAddress HERE = InetAddress.ofLiteral("127.0.0.1");
    private static final int DATAGRAM_BYTES = 1472;
    private static final long TOKEN = 4_712;
    private static final long DEATH_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(60);

    private final long beganNs = System.nanoTime();
    private final List<MessageEndpoint> endpoints = new ArrayList<>();
    private final List<MessageGroup> groups = new ArrayList<>();

    private void connect(int size, boolean sharesMemory) throws IOException {
        List<ServerSocketChannel> listeners = new ArrayList<>();
        List<InetSocketAddress> addresses = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            ServerSocketChannel listener = ServerSocketChannel.open();
            listener.bind(new InetSocketAddress(HERE, 0));
            listeners.add(listener);
            addresses.add((InetSocketAddress) listener.getLocalAddress());
        }
        BroadcastParameters parameters = BroadcastParameters.defaults();
        for (int rank = 0; rank < size; rank++) {
            MessageEndpoint endpoint =
                    new MessageEndpoint(
                            new MessageWorld(rank, addresses, TOKEN, null, sharesMemory, 100_000),
                            listeners.get(rank),
                            (_, _) -> {
                                throw new IllegalStateException("nothing is relayed");
                            },
                            DEATH_TIMEOUT_NS);
            endpoints.add(endpoint);
            CommunicatorConfig config = CommunicatorConfig.builder("way", rank, size).build();
            World world = new World(endpoint, config, SelectionTables.of(parameters));
            groups.add(MessageGroup.ofWorld(world, TOKEN));
        }
    }

    @AfterEach
    void disconnect() throws Exception {
        try (ExecutorService pool = Executors.newCachedThreadPool()) {
            groups.forEach(group -> pool.execute(group::close));
        }
    }

    private void assertInTime() {
        assertThat(System.nanoTime() - beganNs).isLessThan(LONGEST_NS);
    }

    private static void write(MemorySegment room, int number) {
        room.set(ValueLayout.JAVA_INT_UNALIGNED, 0, number);
    }

    private static @Nullable Integer read(MessageWay way) {
        Arrival arrival = way.receive();
        return arrival == null
                ? null
                : arrival.datagram().segment().get(ValueLayout.JAVA_INT_UNALIGNED, 0);
    }

    /** A rank that does not take what has come makes the one before wait, and loses nothing. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatIsUnderWayIsBounded(boolean sharesMemory) throws Exception {
        connect(2, sharesMemory);
        int most = 4_000;
        CountDownLatch roomAgain = new CountDownLatch(1);
        try (MessageWay from = new MessageWay(groups.get(0), DATAGRAM_BYTES);
                MessageWay to = new MessageWay(groups.get(1), DATAGRAM_BYTES)) {
            from.open(roomAgain::countDown);
            to.open(() -> {});
            int sent = 0;
            long quietNs = System.nanoTime();
            while (System.nanoTime() - quietNs < TimeUnit.MILLISECONDS.toNanos(500)) {
                MemorySegment room = from.room();
                if (room != null) {
                    assertThat(sent).isLessThan(most);
                    write(room, sent++);
                    from.send(DATAGRAM_BYTES, 1);
                    quietNs = System.nanoTime();
                }
            }
            assertThat(sent).isGreaterThan(2 * MessageWay.MOST);
            for (int next = 0; next < most; ) {
                assertInTime();
                MemorySegment room = sent < most ? from.room() : null;
                if (room != null) {
                    write(room, sent++);
                    from.send(DATAGRAM_BYTES, 1);
                }
                Integer number = read(to);
                if (number != null) {
                    assertThat(number).isEqualTo(next++);
                }
            }
            assertThat(roomAgain.await(1, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** Nothing comes back from there, and nobody waits for it. */
    @Test
    void whatIsForARankThatIsGoneIsDropped() throws Exception {
        connect(2, false);
        try (MessageWay from = new MessageWay(groups.get(0), DATAGRAM_BYTES)) {
            from.open(() -> {});
            groups.removeLast().close();
            for (int sent = 0; sent < 3 * MessageWay.MOST; ) {
                assertInTime();
                MemorySegment room = from.room();
                if (room != null) {
                    write(room, sent++);
                    from.send(DATAGRAM_BYTES, 1);
                }
            }
        }
    }

    /** From a rank that is not the one before, and longer than any datagram. */
    @Test
    void whatNoRankSendsIsNotTaken() throws Exception {
        connect(3, false);
        try (MessageWay stranger = new MessageWay(groups.get(0), DATAGRAM_BYTES);
                MessageWay before = new MessageWay(groups.get(1), DATAGRAM_BYTES + 1);
                MessageWay to = new MessageWay(groups.get(2), DATAGRAM_BYTES)) {
            write(Objects.requireNonNull(stranger.room()), 1);
            stranger.send(DATAGRAM_BYTES, 2);
            write(Objects.requireNonNull(before.room()), 2);
            before.send(DATAGRAM_BYTES + 1, 2);
            write(Objects.requireNonNull(before.room()), 3);
            before.send(DATAGRAM_BYTES, 2);
            to.open(() -> {});
            Integer first = null;
            while (first == null) {
                assertInTime();
                first = read(to);
            }
            assertThat(first).isEqualTo(3);
            assertThat(read(to)).isNull();
        }
    }

    /** A rank's sockets, of which the group's drops fragments, its engine and its loop. */
    private static final class Rank implements AutoCloseable {
        final BroadcastEngine engine;
        final EngineLoop loop;
        final LossyTransport sockets;
        private long number;

        Rank(MessageGroup group, LossyTransport sockets) {
            this.sockets = sockets;
            Arena memory = Arena.ofShared();
            EngineConfig config =
                    new EngineConfig(
                            group.self(),
                            group.size(),
                            TOKEN,
                            DATAGRAM_BYTES,
                            256,
                            true,
                            DEATH_TIMEOUT_NS,
                            TimeUnit.SECONDS.toNanos(1),
                            RateLimits.NONE,
                            500_000,
                            Disseminations.byCode(),
                            Algorithm.CHAIN.code());
            engine = new BroadcastEngine(config, memory, System.nanoTime());
            loop =
                    new EngineLoop(
                            engine,
                            sockets,
                            new MessageWay(group, DATAGRAM_BYTES),
                            memory,
                            DATAGRAM_BYTES,
                            new Polling(0),
                            "madcast-way-" + group.self());
            loop.start();
        }

        void awaitMulticast() throws IOException {
            loop.callAndAwait(
                    () -> {}, () -> engine.groupState() != GroupState.PROBING, LONGEST_NS);
            assertThat(loop.read(engine::groupState)).isEqualTo(GroupState.MULTICAST);
        }

        void broadcast(byte[] message, int root) throws IOException {
            boolean ended =
                    loop.callAndAwait(
                            () ->
                                    number =
                                            engine.call(
                                                    System.nanoTime(),
                                                    MemorySegment.ofArray(message),
                                                    root,
                                                    Algorithm.IPMC.code()),
                            () -> !engine.isPending(number),
                            LONGEST_NS);
            assertThat(loop.read(engine::failure)).isNull();
            assertThat(ended).isTrue();
        }

        void leave() throws IOException {
            loop.callAndAwait(() -> engine.leave(System.nanoTime()), engine::hasLeft, LONGEST_NS);
        }

        @Override
        public void close() {
            loop.close();
        }
    }

    private List<Rank> join(int size, SocketPath path) throws IOException {
        NetworkAttachment network = NetworkAttachment.find(null, null, HERE);
        int port = 20_000 + (int) (ProcessHandle.current().pid() % 10_000);
        InetSocketAddress group =
                new InetSocketAddress(InetAddress.ofLiteral("239.255.77.13"), port);
        List<DatagramTransport> sockets = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            SocketBuffers buffers = new SocketBuffers(1 << 20, 64 << 10);
            sockets.add(Transports.open(path, network, group, 1, DATAGRAM_BYTES, buffers));
        }
        List<InetSocketAddress> addresses =
                sockets.stream().map(DatagramTransport::localAddress).toList();
        List<Rank> ranks = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            sockets.get(rank).peers(addresses, rank);
            double loss = rank == 2 ? 1 : 0.3; // one rank hears nothing at all
            LossyTransport lossy = new LossyTransport(sockets.get(rank), loss, rank);
            ranks.add(new Rank(groups.get(rank), lossy));
        }
        return ranks;
    }

    private static int program(Rank rank, int self, int size) throws IOException {
        rank.awaitMulticast();
        int[] sizes = {0, 1, 5_000, 300_000, 16, 16, 16, 1_000_000};
        int right = 0;
        for (int i = 0; i < sizes.length; i++) {
            int root = i % size;
            byte[] sent = LoopbackRanks.content(root, sizes[i]);
            byte[] message = root == self ? sent.clone() : new byte[sizes[i]];
            rank.broadcast(message, root);
            assertThat(message).isEqualTo(sent);
            right++;
        }
        rank.leave();
        return right;
    }

    /** Every byte arrives, no rank asks for any, and what was dropped came by messages. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatSocketsDropComesByMessages(boolean sharesMemory) throws Exception {
        int size = 5;
        connect(size, sharesMemory);
        List<Rank> ranks = join(size, sharesMemory ? SocketPath.NIO : SocketPath.AUTO);
        try (ExecutorService pool = Executors.newFixedThreadPool(size)) {
            List<Future<Integer>> programs = new ArrayList<>();
            for (int rank = 0; rank < size; rank++) {
                int self = rank;
                programs.add(pool.submit(() -> program(ranks.get(self), self, size)));
            }
            for (Future<Integer> each : programs) {
                assertThat(each.get(100, TimeUnit.SECONDS)).isEqualTo(8);
            }
        }
        for (Rank rank : ranks) {
            assertThat(rank.sockets.dropped()).isPositive();
            assertThat(rank.loop.read(rank.engine::repairRequestsSent)).isZero();
            assertThat(rank.loop.read(rank.engine::fragmentsLost)).isZero();
            assertThat(rank.sockets.sentToOne()).isZero();
        }
        ranks.forEach(Rank::close);
    }
}

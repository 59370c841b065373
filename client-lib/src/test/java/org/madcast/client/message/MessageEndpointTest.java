package org.madcast.client.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.client.JobKey;
import org.madcast.client.message.Transfer.Outcome;
import org.madcast.client.message.Transfer.Receive;
import org.madcast.client.message.Transfer.Send;

/** Messages over real connections and through shared memory, with a key and without. */
@ParameterizedClass
@ValueSource(booleans = {true, false})
@Timeout(300)
class MessageEndpointTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final JobKey KEY = JobKey.ofHex("00112233445566778899aabbccddeeff");

    static Stream<@Nullable JobKey> keys() {
        return Stream.of(null, KEY);
    }

    /** Whether ranks share memory. */
    @Parameter boolean shared;

    private static byte[] content(int bytes, int seed) {
        byte[] content = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            content[i] = (byte) (seed + i * 13 + (i >> 9));
        }
        return content;
    }

    @ParameterizedTest
    @MethodSource("keys")
    void messagesOfAllLengthsArrive(@Nullable JobKey key) throws IOException {
        try (Endpoints world = new Endpoints(2, key, PATIENCE, shared)) {
            for (int bytes : new int[] {0, 1, 1000, 32 << 10, (32 << 10) + 1, 20_000_000}) {
                byte[] sent = content(bytes, bytes);
                byte[] buffer = new byte[bytes];
                Send send = world.send(0, 1, 5, sent);
                Receive receive = world.receive(1, 0, 5, buffer);
                assertThat(world.await(1, receive)).isEqualTo(new Outcome.Complete(0, 5, bytes));
                assertThat(world.await(0, send)).isInstanceOf(Outcome.Complete.class);
                assertThat(Arrays.equals(sent, buffer)).isTrue();
            }
        }
    }

    /** The thread that waits is asleep on the sockets, of which no such message tells. */
    @Test
    void anotherThreadsMessageToItsOwnRankWakesTheOneThatWaits() throws Exception {
        int exchanges = 200;
        try (Endpoints world = new Endpoints(1, null, PATIENCE, shared)) {
            SynchronousQueue<Integer> received = new SynchronousQueue<>();
            Thread sender =
                    Thread.startVirtualThread(() -> {
                        for (int i = 0; i < exchanges; i++) {
                            Send _ = world.send(0, 0, i, new byte[1]);
                            try {
                                int _ = received.take();
                            } catch (InterruptedException end) {
                                return;
                            }
                        }
                    });
            long beginNs = System.nanoTime();
            for (int i = 0; i < exchanges; i++) {
                assertThat(world.await(0, world.receive(0, 0, i, new byte[1])))
                        .isEqualTo(new Outcome.Complete(0, i, 1));
                received.put(i);
            }
            sender.join();
            // Without a wake-up each exchange would wait for the next tick.
            assertThat(Duration.ofNanos(System.nanoTime() - beginNs))
                    .isLessThan(MessageEndpoint.TICK.multipliedBy(exchanges / 2));
        }
    }

    /** The last sign of life of a rank may be old when a transfer begins to wait for it. */
    @Test
    void aRankThatHadNoReasonToSpeakIsNotLost() throws IOException {
        Duration deathTimeout = Duration.ofSeconds(1);
        try (Endpoints world = new Endpoints(2, null, deathTimeout, shared)) {
            Send _ = world.send(1, 0, 1, new byte[1]);
            assertThat(world.await(0, world.receive(0, 1, 1, new byte[1])))
                    .isEqualTo(new Outcome.Complete(1, 1, 1));
            MessageEndpoint waiting = world.ranks.getFirst();
            boolean _ = waiting.await(() -> false, deathTimeout.multipliedBy(2).toNanos());

            Receive late = world.receive(0, 1, 2, new byte[1]);
            assertThat(
                            waiting.await(
                                    () -> late.outcome() != null,
                                    MessageEndpoint.TICK.multipliedBy(4).toNanos()))
                    .as("%s", late.outcome())
                    .isFalse();
            Send _ = world.send(1, 0, 2, new byte[1]);
            assertThat(world.await(0, late)).isEqualTo(new Outcome.Complete(1, 2, 1));
        }
    }

    /** As after a stop of its whole process, or when its host stood still. */
    @Test
    void aRankThatWasItselfStoppedLosesNobody() throws IOException {
        Duration deathTimeout = Duration.ofSeconds(1);
        try (Endpoints world = new Endpoints(2, null, deathTimeout, shared)) {
            Send _ = world.send(1, 0, 1, new byte[1]);
            assertThat(world.await(0, world.receive(0, 1, 1, new byte[1])))
                    .isEqualTo(new Outcome.Complete(1, 1, 1));
            MessageEndpoint stopped = world.ranks.getFirst();
            Receive late = world.receive(0, 1, 2, new byte[1]);
            long fewTicksNs = MessageEndpoint.TICK.multipliedBy(4).toNanos();
            boolean _ = stopped.await(() -> false, fewTicksNs);
            boolean _ =
                    stopped.with(() -> {
                        LockSupport.parkNanos(deathTimeout.multipliedBy(2).toNanos());
                        return true;
                    });
            assertThat(stopped.await(() -> late.outcome() != null, fewTicksNs))
                    .as("%s", late.outcome())
                    .isFalse();
            Send _ = world.send(1, 0, 2, new byte[1]);
            assertThat(world.await(0, late)).isEqualTo(new Outcome.Complete(1, 2, 1));
        }
    }

    @ParameterizedTest
    @MethodSource("keys")
    void allRanksSendToAllAtOnce(@Nullable JobKey key) throws IOException {
        int size = 6;
        try (Endpoints world = new Endpoints(size, key, PATIENCE, shared)) {
            List<Receive> receives = new ArrayList<>();
            List<byte[]> buffers = new ArrayList<>();
            for (int from = 0; from < size; from++) {
                for (int to = 0; to < size; to++) {
                    Send _ = world.send(from, to, from, content(100_000, from + to));
                }
            }
            for (int to = 0; to < size; to++) {
                for (int from = 0; from < size; from++) {
                    buffers.add(new byte[100_000]);
                    receives.add(world.receive(to, from, from, buffers.getLast()));
                }
            }
            for (int i = 0; i < receives.size(); i++) {
                int to = i / size;
                int from = i % size;
                assertThat(world.await(to, receives.get(i)))
                        .isEqualTo(new Outcome.Complete(from, from, 100_000));
                assertThat(Arrays.equals(buffers.get(i), content(100_000, from + to))).isTrue();
            }
        }
    }

    @Test
    void aPeerThatNeverReceivesHoldsUpNobodyElse() throws IOException {
        try (Endpoints world = new Endpoints(3, null, PATIENCE, shared)) {
            List<Send> unread = new ArrayList<>();
            for (int i = 0; i < 2000; i++) {
                unread.add(world.send(0, 1, 1, content(30_000, i)));
            }
            Send send = world.send(0, 2, 1, content(1000, 1));
            byte[] buffer = new byte[1000];
            Receive receive = world.receive(2, 0, 1, buffer);
            assertThat(world.await(2, receive)).isInstanceOf(Outcome.Complete.class);
            assertThat(world.await(0, send)).isInstanceOf(Outcome.Complete.class);
            assertThat(unread).anyMatch(it -> it.outcome() == null);
        }
    }

    @Test
    void aSilentRankIsLostAndOneThatComputesIsNot() throws IOException {
        try (Endpoints world = new Endpoints(2, null, Duration.ofMillis(600), shared)) {
            Receive never = world.receive(0, 1, 1, new byte[1]);
            world.ranks.get(0).await(() -> never.outcome() != null, 2_000_000_000L);
            assertThat(never.outcome()).isNull(); // rank 1 answers, though it computes
            world.ranks.get(1).close();
            assertThat(world.await(0, never)).isInstanceOf(Outcome.Lost.class);
            assertThat(world.await(0, world.send(0, 1, 1, new byte[1])))
                    .isInstanceOf(Outcome.Lost.class);
        }
    }

    /** Else it would take the other for dead, and say so to the rest of the ranks. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRankThatIsGivenUpIsTold(boolean connected) throws IOException {
        try (Endpoints world = new Endpoints(2, KEY, PATIENCE, shared)) {
            if (connected) {
                Send _ = world.send(0, 1, 7, new byte[1]);
                assertThat(world.await(1, world.receive(1, 0, 7, new byte[1])))
                        .isInstanceOf(Outcome.Complete.class);
            }
            Send _ = world.send(0, 1, 8, new byte[1]);
            world.ranks.get(0).giveUp(1, "a test wants it");
            assertThat(world.ranks.get(0).lost(1)).isEqualTo("a test wants it");
            assertThat(world.await(1, world.receive(1, 0, 8, new byte[1])))
                    .as("what was sent before")
                    .isInstanceOf(Outcome.Complete.class);
            assertThat(world.await(1, world.receive(1, 0, 9, new byte[1])))
                    .isEqualTo(new Outcome.Lost(0, "it has given this rank up"));
        }
    }

    @Test
    void aRankBehindNothingIsLostInTime() throws IOException {
        try (Endpoints world = new Endpoints(2, null, Duration.ofMillis(600), shared)) {
            world.ranks.get(1).close(); // nobody listens there any more
            Receive receive = world.receive(0, 1, 1, new byte[1]);
            assertThat(world.await(0, receive)).isInstanceOf(Outcome.Lost.class);
        }
    }

    @ParameterizedTest
    @MethodSource("keys")
    void strangersDisturbNobody(@Nullable JobKey key) throws IOException {
        try (Endpoints world = new Endpoints(2, key, PATIENCE, shared)) {
            List<Socket> strangers = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                Socket stranger =
                        new Socket(
                                world.addresses.get(1).getAddress(),
                                world.addresses.get(1).getPort());
                strangers.add(stranger);
                OutputStream out = stranger.getOutputStream();
                switch (i % 4) {
                    case 0 -> {
                        // says nothing
                    }
                    case 1 -> out.write(content(5000, i));
                    case 2 -> {
                        // a hello of another job, whose proof is missing
                        ByteBuffer hello = ByteBuffer.allocate(Handshake.HELLO_BYTES);
                        hello.putInt(Handshake.MAGIC).putInt(1).putLong(99).putInt(0).putInt(1);
                        out.write(hello.array());
                    }
                    default ->
                            out.write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                }
            }
            byte[] buffer = new byte[50_000];
            Receive receive = world.receive(1, 0, 1, buffer);
            Send send = world.send(0, 1, 1, content(50_000, 3));
            assertThat(world.await(1, receive)).isInstanceOf(Outcome.Complete.class);
            assertThat(world.await(0, send)).isInstanceOf(Outcome.Complete.class);
            assertThat(Arrays.equals(buffer, content(50_000, 3))).isTrue();
            for (Socket each : strangers) {
                each.close();
            }
        }
    }

    /**
     * Two ranks connect to each other, and each accepts the other's connection before it hears of
     * its own: rank 1, which is this test, then uses its own.
     */
    @Test
    void ranksThatAcceptEachOtherUseTheSameConnection() throws IOException {
        PeerSecret secret = PeerSecret.of(null, Endpoints.TOKEN);
        try (Endpoints world = new Endpoints(2, null, PATIENCE, shared);
                ServerSocket listener = world.replaceByTest(1);
                Socket own = new Socket()) {
            Handshake mine = world.connectAsRankOne(own);

            Send send = world.send(0, 1, 5, content(100, 3));
            try (Socket its = listener.accept()) {
                accept(its, secret);
                boolean _ = world.ranks.getFirst().await(() -> false, 300_000_000L);
                own.getOutputStream().write(mine.proof(false));
                assertThat(its.getInputStream().read()).isEqualTo(-1);
            }
            byte[] frame = own.getInputStream().readNBytes(FrameHeader.BYTES + 100);
            assertThat(frame).endsWith(content(100, 3));
            assertThat(world.await(0, send)).isInstanceOf(Outcome.Complete.class);
        }
    }

    private static void write(Socket to, FrameHeader header) {
        ByteBuffer bytes = ByteBuffer.allocate(FrameHeader.BYTES);
        header.write(bytes);
        try {
            to.getOutputStream().write(bytes.array());
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    private static FrameHeader read(Socket from) {
        try {
            byte[] bytes = from.getInputStream().readNBytes(FrameHeader.BYTES);
            return Objects.requireNonNull(FrameHeader.read(ByteBuffer.wrap(bytes)));
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    /** Behind this rank's bytes the answer would keep the other's waiting until all are sent. */
    @Test
    void inAnExchangeTheOtherIsAnsweredBeforeItGetsTheBytes() throws Exception {
        int bytes = 1 << 20;
        try (Endpoints world = new Endpoints(2, null, PATIENCE, shared);
                ServerSocket _ = world.replaceByTest(1);
                Socket own = new Socket()) {
            own.setTcpNoDelay(true);
            Handshake mine = world.connectAsRankOne(own);
            own.getOutputStream().write(mine.proof(false));
            write(own, FrameHeader.ready(Endpoints.CONTEXT, 5, 9, 0, bytes));
            MessageEndpoint zero = world.ranks.getFirst();
            // No caller waits, so that the endpoint's thread does.
            while (zero.probe(Endpoints.CONTEXT, 1, 5) == null) {
                LockSupport.parkNanos(1_000_000);
            }
            LockSupport.parkNanos(50_000_000);
            FrameHeader ready =
                    zero.with(() -> {
                        Send _ = world.send(0, 1, 5, content(bytes, 3));
                        FrameHeader announced = read(own);
                        write(own, FrameHeader.clear(announced.id(), 0));
                        // The endpoint's thread finds this, and waits for the lock.
                        LockSupport.parkNanos(50_000_000);
                        Receive _ = world.receive(0, 1, 5, new byte[bytes]);
                        return announced;
                    });
            assertThat(ready.type()).isEqualTo(FrameHeader.Type.READY);
            assertThat(read(own).type()).isEqualTo(FrameHeader.Type.CLEAR);
            assertThat(read(own).type()).isEqualTo(FrameHeader.Type.DATA);
        }
    }

    /** A rank that starts slowly answers late: how late is for the death timeout to say. */
    @Test
    void aRankMayAnswerAsLateAsTheDeathTimeoutAllows() throws Exception {
        PeerSecret secret = PeerSecret.of(null, Endpoints.TOKEN);
        try (Endpoints world = new Endpoints(2, null, PATIENCE, shared);
                ServerSocket listener = world.replaceByTest(1)) {
            Send send = world.send(0, 1, 5, content(100, 3));
            try (Socket its = listener.accept()) {
                boolean _ = world.ranks.getFirst().await(() -> false, 5_300_000_000L);
                assertThat(send.outcome()).isNull();
                accept(its, secret);
                declineMemory(its);
                byte[] frame = its.getInputStream().readNBytes(FrameHeader.BYTES + 100);
                assertThat(frame).endsWith(content(100, 3));
                assertThat(world.await(0, send)).isInstanceOf(Outcome.Complete.class);
            }
        }
    }

    /** As one does that strangers flood. */
    @Test
    void aRankThatDropsAConnectionGetsAnother() throws IOException {
        PeerSecret secret = PeerSecret.of(null, Endpoints.TOKEN);
        try (Endpoints world = new Endpoints(2, null, PATIENCE, shared);
                ServerSocket listener = world.replaceByTest(1)) {
            Send send = world.send(0, 1, 5, content(100, 3));
            for (int dropped = 0; dropped < 3; dropped++) {
                try (Socket its = listener.accept()) {
                    if (dropped > 0) {
                        byte[] hello = its.getInputStream().readNBytes(Handshake.HELLO_BYTES);
                        assertThat(hello).hasSize(Handshake.HELLO_BYTES);
                    } // else it is reset
                }
            }
            try (Socket its = listener.accept()) {
                accept(its, secret);
                declineMemory(its);
                byte[] frame = its.getInputStream().readNBytes(FrameHeader.BYTES + 100);
                assertThat(frame).endsWith(content(100, 3));
                assertThat(world.await(0, send)).isInstanceOf(Outcome.Complete.class);
            }
        }
    }

    private static void accept(Socket its, PeerSecret secret) throws IOException {
        byte[] hello = its.getInputStream().readNBytes(Handshake.HELLO_BYTES);
        Handshake accepting = Objects.requireNonNull(Handshake.accepting(secret, 1, 2, hello));
        its.getOutputStream().write(accepting.reply(false));
    }

    /** Takes the rank's proof, and shares no memory if it offers some. */
    private static void declineMemory(Socket its) throws IOException {
        byte[] proof = its.getInputStream().readNBytes(Handshake.PROOF_BYTES);
        if (Handshake.offers(proof)) {
            its.getOutputStream().write(new byte[Handshake.SHARES_BYTES]);
        }
    }

    @Test
    void reportsFindTheirRelay() throws IOException {
        try (Endpoints world = new Endpoints(1, null, PATIENCE, shared);
                Socket reporter =
                        new Socket(
                                world.addresses.getFirst().getAddress(),
                                world.addresses.getFirst().getPort())) {
            reporter.getOutputStream().write("MCR1\0\0\0\0".getBytes(StandardCharsets.US_ASCII));
            assertThat(reporter.getInputStream().read()).isEqualTo(-1);
            assertThat(world.relayed).hasSize(1);
        }
    }
}

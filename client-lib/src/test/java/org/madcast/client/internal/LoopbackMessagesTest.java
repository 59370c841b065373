package org.madcast.client.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.madcast.client.Messages.ANY_SOURCE;
import static org.madcast.client.Messages.ANY_TAG;
import static org.madcast.client.internal.LoopbackRanks.content;
import static org.madcast.client.internal.LoopbackRanks.onEveryRank;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.madcast.client.ArrivedMessage;
import org.madcast.client.Communicator;
import org.madcast.client.JobKey;
import org.madcast.client.MessageStatus;
import org.madcast.client.MessageTooLongException;
import org.madcast.client.RankLostException;

/** Messages between ranks, through the public interface. */
@Timeout(180)
class LoopbackMessagesTest {

    private static MemorySegment of(byte[] bytes) {
        return MemorySegment.ofArray(bytes);
    }

    @Test
    void aMessageGoesRoundTheRing() throws Exception {
        for (JobKey key : new JobKey[] {null, JobKey.ofHex("00112233445566778899aabbccddeeff")}) {
            List<byte[]> got =
                    onEveryRank(
                            5,
                            config -> key == null ? config : config.key(key),
                            world -> {
                                byte[] token = new byte[100_000];
                                int next = (world.rank() + 1) % world.size();
                                int before = (world.rank() + world.size() - 1) % world.size();
                                if (world.rank() == 0) {
                                    world.send(of(content(1, token.length)), next, 3);
                                    world.recv(of(token), before, 3);
                                } else {
                                    MessageStatus status = world.recv(of(token), before, ANY_TAG);
                                    assertThat(status)
                                            .isEqualTo(
                                                    new MessageStatus(
                                                            before, 3, token.length, false));
                                    world.send(of(token), next, 3);
                                }
                                return token;
                            });
            assertThat(got).allMatch(it -> java.util.Arrays.equals(it, content(1, 100_000)));
        }
    }

    @Test
    void typedArraysArriveAsTheyAre() throws Exception {
        onEveryRank(
                2,
                world -> {
                    double[] values = {1.5, -2.25, Double.MAX_VALUE};
                    double[] buffer = new double[5];
                    MessageStatus status =
                            world.sendRecv(
                                    MemorySegment.ofArray(values),
                                    1 - world.rank(),
                                    0,
                                    MemorySegment.ofArray(buffer),
                                    1 - world.rank(),
                                    0);
                    assertThat(status.bytes()).isEqualTo(24);
                    assertThat(buffer).containsExactly(1.5, -2.25, Double.MAX_VALUE, 0, 0);
                    return 0;
                });
    }

    @Test
    void manyAreUnderWayAtOnceAndCompleteInAnyOrder() throws Exception {
        onEveryRank(
                3,
                world -> {
                    int count = 2000;
                    List<CompletableFuture<MessageStatus>> futures = new ArrayList<>();
                    List<byte[]> buffers = new ArrayList<>();
                    for (int i = 0; i < count; i++) {
                        for (int peer = 0; peer < world.size(); peer++) {
                            byte[] buffer = new byte[i];
                            buffers.add(buffer);
                            futures.add(world.irecv(of(buffer), peer, i));
                        }
                    }
                    for (int i = count - 1; i >= 0; i--) {
                        for (int peer = 0; peer < world.size(); peer++) {
                            futures.add(world.isend(of(content(i, i)), peer, i));
                        }
                    }
                    CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new)).join();
                    for (int i = 0; i < buffers.size(); i++) {
                        assertThat(buffers.get(i)).isEqualTo(content(i / 3, i / 3));
                    }
                    return 0;
                });
    }

    @Test
    void memoryIsMadeForTheLengthOfTheMessage() throws Exception {
        onEveryRank(
                2,
                world -> {
                    int peer = 1 - world.rank();
                    for (int bytes : new int[] {0, 5, 100_000}) {
                        List<byte[]> made = new ArrayList<>();
                        CompletableFuture<MessageStatus> future =
                                world.irecv(
                                        length -> {
                                            made.add(new byte[(int) length]);
                                            return of(made.getFirst());
                                        },
                                        peer,
                                        ANY_TAG);
                        world.send(of(content(7, bytes)), peer, 1);
                        assertThat(future.join())
                                .isEqualTo(new MessageStatus(peer, 1, bytes, false));
                        assertThat(made).hasSize(1);
                        assertThat(made.getFirst()).isEqualTo(content(7, bytes));
                    }
                    CompletableFuture<MessageStatus> refused =
                            world.irecv(
                                    _ -> {
                                        throw new IllegalStateException("no memory");
                                    },
                                    peer,
                                    2);
                    world.send(of(content(1, 9)), peer, 2);
                    assertThatThrownBy(refused::join)
                            .hasCauseInstanceOf(MessageTooLongException.class);
                    world.barrier();
                    return 0;
                });
    }

    @Test
    void aProgramThatLooksMovesItsTransfersOn() throws Exception {
        onEveryRank(
                2,
                world -> {
                    byte[] message = new byte[4_000_000];
                    CompletableFuture<MessageStatus> under =
                            world.rank() == 0
                                    ? world.isend(of(content(9, message.length)), 1, 0)
                                    : world.irecv(of(message), 0, 0);
                    while (!under.isDone()) {
                        world.poll();
                    }
                    CompletableFuture<MessageStatus> back =
                            world.rank() == 1
                                    ? world.isend(of(message), 0, 1)
                                    : world.irecv(of(message), 1, 1);
                    assertThat(world.await(back::isDone, Duration.ofSeconds(60))).isTrue();
                    assertThat(message).isEqualTo(content(9, message.length));
                    assertThat(world.await(() -> false, Duration.ofMillis(2))).isFalse();
                    return 0;
                });
    }

    @Test
    void aTransferGoesOnWhileItsRanksCompute() throws Exception {
        onEveryRank(
                2,
                world -> {
                    byte[] message = new byte[4_000_000];
                    CompletableFuture<MessageStatus> under =
                            world.rank() == 0
                                    ? world.isend(of(content(9, message.length)), 1, 0)
                                    : world.irecv(of(message), 0, 0);
                    // No thread is in a call: only the library's own thread can complete it.
                    while (!under.isDone()) {
                        Thread.onSpinWait();
                    }
                    if (world.rank() == 1) {
                        assertThat(message).isEqualTo(content(9, message.length));
                    }
                    return 0;
                });
    }

    @Test
    void probesSeeAMessageAndAClaimTakesIt() throws Exception {
        onEveryRank(
                2,
                world -> {
                    if (world.rank() == 0) {
                        world.send(of(content(1, 10)), 1, 5);
                        world.send(of(content(2, 20)), 1, 5);
                        return 0;
                    }
                    assertThat(world.probe(ANY_SOURCE, 5).bytes()).isEqualTo(10);
                    ArrivedMessage first = world.mprobe(0, ANY_TAG);
                    byte[] second = new byte[20];
                    world.recv(of(second), 0, 5);
                    assertThat(second).isEqualTo(content(2, 20));
                    byte[] buffer = new byte[10];
                    assertThat(first.recv(of(buffer)).tag()).isEqualTo(5);
                    assertThat(buffer).isEqualTo(content(1, 10));
                    assertThatThrownBy(() -> first.recv(of(buffer)))
                            .isInstanceOf(IllegalStateException.class);
                    assertThat(world.iprobe(0, 5)).isEmpty();
                    return 0;
                });
    }

    @Test
    void aThreadProbesWhileAnotherExchangesMessages() throws Exception {
        onEveryRank(
                2,
                world -> {
                    MemorySegment ball = of(new byte[1]);
                    int other = 1 - world.rank();
                    CompletableFuture<Long> probed =
                            CompletableFuture.supplyAsync(
                                    () -> world.probe(other, 9).bytes(),
                                    Thread::startVirtualThread);
                    for (int round = 0; round < 200; round++) {
                        world.sendRecv(ball, other, 5, of(new byte[1]), other, 5);
                    }
                    world.send(ball, other, 9);
                    assertThat(probed.join()).isEqualTo(1);
                    world.recv(ball, other, 9);
                    return 0;
                });
    }

    @Test
    void aReceiveThatIsTooShortChangesNothingAndTheNextOneWorks() throws Exception {
        onEveryRank(
                2,
                world -> {
                    for (int bytes : new int[] {100, 100_000}) {
                        if (world.rank() == 0) {
                            world.send(of(content(1, bytes)), 1, 0);
                            world.send(of(content(2, 5)), 1, 0);
                        } else {
                            byte[] small = new byte[50];
                            assertThatThrownBy(() -> world.recv(of(small), 0, 0))
                                    .isInstanceOf(MessageTooLongException.class)
                                    .hasMessageContaining(bytes + " bytes");
                            assertThat(small).containsOnly(0);
                            world.recv(of(small), 0, 0);
                            assertThat(small).startsWith(content(2, 5));
                        }
                    }
                    return 0;
                });
    }

    @Test
    void aCancelledReceiveSaysSo() throws Exception {
        onEveryRank(
                2,
                world -> {
                    byte[] buffer = new byte[4];
                    CompletableFuture<MessageStatus> receive =
                            world.irecv(of(buffer), 1 - world.rank(), 1);
                    assertThat(receive.cancel(false)).isTrue();
                    assertThat(receive.join().cancelled()).isTrue();
                    assertThat(receive.cancel(false)).isFalse();
                    world.barrier();
                    return 0;
                });
    }

    @Test
    void aRankThatHasLeftIsLostToThoseWhoWaitForIt() throws Exception {
        onEveryRank(
                2,
                world -> {
                    if (world.rank() == 1) {
                        assertThatThrownBy(() -> world.recv(of(new byte[1]), 0, 0))
                                .isInstanceOfSatisfying(
                                        RankLostException.class,
                                        lost -> assertThat(lost.rank()).isZero());
                    }
                    return 0;
                });
    }

    @Test
    void wrongArgumentsAreNamed() throws Exception {
        onEveryRank(
                2,
                world -> {
                    MemorySegment data = of(new byte[4]);
                    assertThatThrownBy(() -> world.send(data, 2, 0))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("destination 2");
                    assertThatThrownBy(() -> world.send(data, 0, -1))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("tag -1");
                    assertThatThrownBy(() -> world.recv(data.asReadOnly(), 0, 0))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("read-only");
                    assertThatThrownBy(() -> world.sendRecv(data, 0, 0, data, 0, 0))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("overlap");
                    try (Arena confined = Arena.ofConfined()) {
                        MemorySegment ours = confined.allocate(8);
                        assertThatThrownBy(() -> world.send(ours, 0, 0))
                                .isInstanceOf(IllegalArgumentException.class)
                                .hasMessageContaining("one thread");
                    }
                    return 0;
                });
    }

    @Test
    void afterClosingNothingCanBeSent() throws Exception {
        List<Communicator> closed = onEveryRank(2, world -> world);
        assertThatThrownBy(() -> closed.getFirst().send(of(new byte[1]), 1, 0))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aSendRecvThatIsRefusedTakesNoMessage() throws Exception {
        onEveryRank(
                2,
                world -> {
                    if (world.rank() == 0) {
                        world.send(MemorySegment.ofArray(new byte[] {7}), 1, 3);
                        return 0;
                    }
                    assertThat(world.probe(0, 3).bytes()).isEqualTo(1);
                    byte[] received = new byte[1];
                    MemorySegment buffer = MemorySegment.ofArray(received);
                    MemorySegment data = MemorySegment.ofArray(new byte[1]);
                    assertThatThrownBy(() -> world.sendRecv(data, 5, 3, buffer, 0, 3))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("destination 5");
                    world.recv(buffer, 0, 3);
                    assertThat(received).containsExactly(7);
                    return 0;
                });
    }
}

package org.madcast.client.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.madcast.client.internal.LoopbackRanks.onEveryRank;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.client.ElementType;
import org.madcast.client.Elements;
import org.madcast.client.ReduceOperation.Kind;

/** Messages and collective operations on typed arrays and parts of them. */
@Timeout(180)
class ArrayOperationsTest {

    private static int[] ranks(int size) {
        return IntStream.range(0, size).toArray();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void partsOfArraysAreGatheredScatteredAndExchanged(int size) throws Exception {
        onEveryRank(
                size,
                world -> {
                    int rank = world.rank();
                    int[] own = {-1, rank, -1};
                    int[] all = new int[size + 2];
                    world.gather(Elements.of(own, 1, 1), Elements.of(all, 1, size), 0);
                    if (rank == 0) {
                        assertThat(Arrays.copyOfRange(all, 1, size + 1)).isEqualTo(ranks(size));
                        assertThat(all[0] + all[size + 1]).isZero();
                    }
                    world.allgather(Elements.of(own, 1, 1), Elements.of(all, 2, size));
                    assertThat(Arrays.copyOfRange(all, 2, size + 2)).isEqualTo(ranks(size));
                    char[] part = new char[2];
                    char[] letters = "abcdefghij".substring(0, 2 * size).toCharArray();
                    world.scatter(Elements.of(letters), Elements.of(part), size - 1);
                    assertThat(part).containsExactly(letters[2 * rank], letters[2 * rank + 1]);
                    long[] sent = new long[size];
                    Arrays.setAll(sent, to -> 10L * rank + to);
                    long[] received = new long[size];
                    world.alltoall(Elements.of(sent), Elements.of(received));
                    for (int from = 0; from < size; from++) {
                        assertThat(received[from]).isEqualTo(10L * from + rank);
                    }
                    return 0;
                });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5})
    void partsOfDifferentLengthsAreCountedInElements(int size) throws Exception {
        int[] counts = ranks(size);
        int total = Arrays.stream(counts).sum();
        onEveryRank(
                size,
                world -> {
                    int rank = world.rank();
                    double[] own = new double[rank];
                    Arrays.fill(own, rank);
                    double[] expected =
                            Arrays.stream(counts)
                                    .flatMap(it -> IntStream.generate(() -> it).limit(it))
                                    .mapToDouble(it -> it)
                                    .toArray();
                    double[] all = new double[total];
                    world.allgatherv(Elements.of(own), Elements.of(all), counts);
                    assertThat(all).isEqualTo(expected);
                    double[] atRoot = new double[total];
                    world.igatherv(Elements.of(own), Elements.of(atRoot), counts, 0).join();
                    assertThat(atRoot).isEqualTo(rank == 0 ? expected : new double[total]);
                    double[] back = new double[rank];
                    world.scatterv(Elements.of(atRoot), counts, Elements.of(back), 0);
                    assertThat(back).isEqualTo(own);
                    int[] same = new int[size];
                    Arrays.fill(same, rank);
                    double[] sent = new double[rank * size];
                    Arrays.fill(sent, rank);
                    double[] received = new double[total];
                    world.alltoallv(Elements.of(sent), same, Elements.of(received), counts);
                    assertThat(received).isEqualTo(expected);
                    return 0;
                });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void whatAReductionAddsFollowsFromTheArray(int size) throws Exception {
        int sum = IntStream.rangeClosed(1, size).sum();
        onEveryRank(
                size,
                world -> {
                    int own = world.rank() + 1;
                    double[] doubles = {own + 0.5};
                    world.allreduce(Elements.of(doubles), Elements.of(doubles), Kind.SUM);
                    assertThat(doubles).containsExactly(sum + size * 0.5);
                    float[] floats = {own + 0.5f};
                    world.allreduce(Elements.of(floats), Elements.of(floats), Kind.SUM);
                    assertThat(floats).containsExactly(sum + size * 0.5f);
                    long[] longs = {own + (1L << 40)};
                    world.iallreduce(Elements.of(longs), Elements.of(longs), Kind.SUM).join();
                    assertThat(longs).containsExactly(sum + size * (1L << 40));
                    int[] ints = {own << 20};
                    world.allreduce(Elements.of(ints), Elements.of(ints), Kind.SUM);
                    assertThat(ints).containsExactly(sum << 20);
                    short[] shorts = {(short) -own};
                    world.allreduce(Elements.of(shorts), Elements.of(shorts), Kind.MIN);
                    assertThat(shorts).containsExactly((short) -size);
                    char[] chars = {(char) (0xFFF0 + own)};
                    world.allreduce(
                            Elements.of(chars), Elements.of(chars), Kind.MAX); // it has no sign
                    assertThat(chars).containsExactly((char) (0xFFF0 + size));
                    byte[] bytes = {(byte) own};
                    world.allreduce(Elements.of(bytes), Elements.of(bytes), Kind.MAX);
                    assertThat(bytes).containsExactly((byte) size);
                    return 0;
                });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void prefixesPartsAndTheRootsResult(int size) throws Exception {
        onEveryRank(
                size,
                world -> {
                    int rank = world.rank();
                    int[] own = {rank + 1};
                    int[] result = {-7};
                    world.scan(Elements.of(own), Elements.of(result), Kind.SUM);
                    assertThat(result[0]).isEqualTo((rank + 1) * (rank + 2) / 2);
                    result[0] = -7;
                    world.exscan(Elements.of(own), Elements.of(result), Kind.SUM);
                    assertThat(result[0]).isEqualTo(rank == 0 ? -7 : rank * (rank + 1) / 2);
                    result[0] = -7;
                    world.reduce(Elements.of(own), Elements.of(result), Kind.SUM, size - 1);
                    assertThat(result[0]).isEqualTo(rank == size - 1 ? size * (size + 1) / 2 : -7);
                    world.reduceScatter(Elements.of(ranks(size)), Elements.of(result), Kind.SUM);
                    assertThat(result[0]).isEqualTo(rank * size);
                    return 0;
                });
    }

    @Test
    void messagesAndBroadcastsOfParts() throws Exception {
        onEveryRank(
                3,
                world -> {
                    int next = (world.rank() + 1) % 3;
                    int before = (world.rank() + 2) % 3;
                    short[] row = {0, (short) world.rank(), 9, 0};
                    short[] got = new short[4];
                    var status =
                            world.sendRecv(
                                    Elements.of(row, 1, 2),
                                    next,
                                    1,
                                    Elements.of(got, 2, 2),
                                    before,
                                    1);
                    assertThat(status.bytes()).isEqualTo(4);
                    assertThat(got)
                            .containsExactly((short) 0, (short) 0, (short) before, (short) 9);
                    var sent = world.isend(Elements.of(row, 1, 1), next, 2);
                    world.recv(Elements.of(got, 0, 1), before, 2);
                    sent.join();
                    assertThat(got[0]).isEqualTo((short) before);
                    float[] message = {world.rank() == 1 ? 2.5f : 0, world.rank()};
                    world.bcast(Elements.of(message, 0, 1), 1);
                    assertThat(message).containsExactly(2.5f, world.rank());
                    return 0;
                });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void onlyTheRootKnowsTheLength(int size) throws Exception {
        onEveryRank(
                size,
                world -> {
                    for (int bytes : new int[] {0, 1, 200_000}) {
                        int root = bytes % size;
                        byte[] message = LoopbackRanks.content(root, bytes);
                        byte[] given = world.rank() == root ? message : null;
                        byte[] got = world.bcastUnknownLength(given, root);
                        assertThat(got).isEqualTo(message);
                    }
                    refused("root -1", () -> world.bcastUnknownLength(null, -1));
                    refused("root " + size, () -> world.bcastUnknownLength(null, size));
                    int self = world.rank();
                    refused("message is null", () -> world.bcastUnknownLength(null, self));
                    return 0;
                });
    }

    private static void refused(String message, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void whatIsNotInTheArrayIsRefused() {
        int[] array = new int[4];
        refused("offset -1 is outside 0 to 4", () -> Elements.of(array, -1, 1));
        refused("offset 5 is outside 0 to 4", () -> Elements.of(array, 5, 0));
        refused("length -1 is outside 0 to 2", () -> Elements.of(array, 2, -1));
        refused("length 3 is outside 0 to 2", () -> Elements.of(array, 2, 3));
        MemorySegment odd = MemorySegment.ofArray(new byte[7]);
        refused("7 bytes", () -> new Elements(odd, ElementType.LONG));
        assertThat(Elements.of(array, 4, 0).length()).isZero();
    }

    @Test
    void wrongArgumentsAreRefusedBeforeAnythingIsSent() throws Exception {
        onEveryRank(
                2,
                world -> {
                    int peer = 1 - world.rank();
                    int[] two = new int[2];
                    int[] one = {world.rank()};
                    refused("destination 2", () -> world.send(Elements.of(one), 2, 0));
                    refused("source -2", () -> world.recv(Elements.of(one), -2, 0));
                    refused("tag -3", () -> world.send(Elements.of(one), peer, -3));
                    refused(
                            "overlap",
                            () ->
                                    world.sendRecv(
                                            Elements.of(two, 0, 2),
                                            peer,
                                            0,
                                            Elements.of(two, 1, 1),
                                            peer,
                                            0));
                    refused(
                            "source 5",
                            () ->
                                    world.sendRecv(
                                            Elements.of(one), peer, 0, Elements.of(two), 5, 0));
                    refused(
                            "destination 5",
                            () ->
                                    world.sendRecv(
                                            Elements.of(one), 5, 0, Elements.of(two), peer, 0));
                    refused("root 2", () -> world.gather(Elements.of(one), Elements.of(two), 2));
                    refused(
                            "gathered has 4 bytes; 8",
                            () -> world.allgather(Elements.of(one), Elements.of(new int[1])));
                    refused(
                            "type LONG",
                            () -> world.allgather(Elements.of(one), Elements.of(new long[2])));
                    refused(
                            "type DOUBLE",
                            () ->
                                    world.allreduce(
                                            Elements.of(one),
                                            Elements.of(new double[1]),
                                            Kind.SUM));
                    refused(
                            "FLOAT",
                            () ->
                                    world.allreduce(
                                            Elements.of(new float[1]),
                                            Elements.of(new float[1]),
                                            Kind.BITWISE_OR));
                    refused(
                            "count -1",
                            () ->
                                    world.allgatherv(
                                            Elements.of(one), Elements.of(two), new int[] {1, -1}));
                    refused(
                            "1 parts for 2 ranks",
                            () ->
                                    world.allgatherv(
                                            Elements.of(one), Elements.of(two), new int[] {1}));
                    refused("overlap", () -> world.alltoall(Elements.of(two), Elements.of(two)));
                    if (world.rank() == 0) {
                        refused(
                                "overlap",
                                () -> world.gather(Elements.of(two, 1, 1), Elements.of(two), 0));
                        refused(
                                "overlap",
                                () -> world.scatter(Elements.of(two), Elements.of(two, 1, 1), 0));
                    }
                    var readOnly =
                            new Elements(MemorySegment.ofArray(two).asReadOnly(), ElementType.INT);
                    refused("read-only", () -> world.allgather(Elements.of(one), readOnly));
                    world.sendRecv(Elements.of(one), peer, 0, Elements.of(two, 0, 1), peer, 0);
                    assertThat(two[0]).isEqualTo(peer);
                    world.allgather(Elements.of(one), Elements.of(two));
                    assertThat(two).containsExactly(0, 1);
                    world.close();
                    assertThatThrownBy(() -> world.allgather(Elements.of(one), Elements.of(two)))
                            .isInstanceOf(IllegalStateException.class);
                    return 0;
                });
    }
}

package org.madcast.client.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.madcast.client.internal.LoopbackRanks.onEveryRank;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.client.Collective;
import org.madcast.client.Communicator;
import org.madcast.client.Edge;
import org.madcast.client.ElementType;
import org.madcast.client.Elements;
import org.madcast.client.Grid;
import org.madcast.client.MismatchException;
import org.madcast.client.Parts;
import org.madcast.client.Topology;

/** Collectives between neighbours, on real sockets. */
@Timeout(180)
class LoopbackNeighboursTest {

    private static MemorySegment of(int... numbers) {
        return MemorySegment.ofArray(numbers);
    }

    /** In rings of one and of two ranks, too: the one above is the one below. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void whatGoesUpARingComesFromBelow(int ranks) throws Exception {
        onEveryRank(
                ranks,
                world -> {
                    Topology ring = Topology.of(world, new Grid(new int[] {ranks}, true));
                    int below = Math.floorMod(world.rank() - 1, ranks);
                    int above = (world.rank() + 1) % ranks;
                    assertThat(ring.sources()).containsExactly(below, above);
                    assertThat(ring.destinations()).containsExactly(below, above);
                    int[] out = new int[2];
                    int[] in = new int[2];
                    Collective again = ring.alltoallInit(of(out), of(in));
                    for (int step = 0; step < 3; step++) {
                        out[0] = 100 * step + 10 * world.rank();
                        out[1] = out[0] + 1;
                        int[] expected = {100 * step + 10 * below + 1, 100 * step + 10 * above};
                        again.run();
                        assertThat(in).isEqualTo(expected);
                        Arrays.fill(in, -1);
                        ring.alltoall(Elements.of(out), Elements.of(in));
                        assertThat(in).isEqualTo(expected);
                        Arrays.fill(in, -1);
                        var begun = ring.ialltoall(of(out), of(in));
                        int[] got = new int[2];
                        ring.allgather(Elements.of(new int[] {world.rank()}), Elements.of(got));
                        begun.join();
                        assertThat(in).isEqualTo(expected);
                        assertThat(got).containsExactly(below, above);
                    }
                    return 0;
                });
    }

    /** Rows of one array, with the borders of the others around them. */
    @Test
    void partsBeyondTheEdgesOfAGridAreLeftAlone() throws Exception {
        onEveryRank(
                6,
                world -> {
                    Grid grid = new Grid(new int[] {2, 3}, false, true);
                    Topology plate = Topology.of(world, grid);
                    int rank = world.rank();
                    int[] rows = new int[8];
                    Arrays.fill(rows, -1);
                    for (int part = 0; part < 4; part++) {
                        rows[2 * part] = 10 * rank + part;
                    }
                    List<MemorySegment> out = new ArrayList<>();
                    List<MemorySegment> in = new ArrayList<>();
                    for (int part = 0; part < 4; part++) {
                        out.add(of(rows).asSlice(8L * part, 4));
                        in.add(of(rows).asSlice(8L * part + 4, 4));
                    }
                    plate.alltoallw(out, in);
                    for (int part = 0; part < 4; part++) {
                        int from = grid.neighbour(rank, part / 2, part % 2 == 0 ? -1 : 1);
                        assertThat(rows[2 * part + 1])
                                .as("part %d of rank %d", part, rank)
                                .isEqualTo(from == Grid.NOBODY ? -1 : 10 * from + (part ^ 1));
                    }
                    return 0;
                });
    }

    /** Rank 0 has two edges to each other rank, and none comes back. */
    @Test
    void edgesOfAGraphMayBeDoubleAndOneSided() throws Exception {
        onEveryRank(
                3,
                world -> {
                    boolean first = world.rank() == 0;
                    Topology star =
                            Topology.of(
                                    world,
                                    first ? new int[0] : new int[] {0, 0},
                                    first ? new int[] {1, 2, 1, 2} : new int[0]);
                    int[] counts = first ? new int[0] : new int[] {1, world.rank()};
                    int[] sent = first ? new int[] {1, 1, 1, 2} : new int[0];
                    int[] data = first ? new int[] {7, 8, 9, 10, 11} : new int[0];
                    int[] expected =
                            switch (world.rank()) {
                                case 1 -> new int[] {7, 9};
                                case 2 -> new int[] {8, 10, 11};
                                default -> new int[0];
                            };
                    int[] typed = new int[expected.length];
                    star.alltoallv(Elements.of(data), sent, Elements.of(typed), counts);
                    assertThat(typed).isEqualTo(expected);
                    int[] begun = new int[expected.length];
                    star.ialltoallv(Elements.of(data), sent, Elements.of(begun), counts).join();
                    assertThat(begun).isEqualTo(expected);
                    int[] turned = new int[2];
                    star.allgatherv(
                            of(5),
                            of(turned),
                            first
                                    ? Parts.packed()
                                    : Parts.of(
                                            ElementType.INT, new int[] {1, 1}, new int[] {1, 0}));
                    assertThat(turned).containsOnly(first ? 0 : 5);
                    int[] packed = new int[first ? 0 : 2];
                    star.iallgatherv(
                                    Elements.of(new int[] {6}),
                                    Elements.of(packed),
                                    first ? new int[0] : new int[] {1, 1})
                            .join();
                    assertThat(Arrays.stream(packed)).allMatch(it -> it == 6);
                    return 0;
                });
    }

    /** Each rank sends each one, itself among them, as many bytes as the sum of their ranks. */
    @Test
    void onlyTheSenderMayKnowTheLength() throws Exception {
        int ranks = 4;
        onEveryRank(
                ranks,
                world -> {
                    byte[][] came = new byte[ranks][];
                    List<Edge> out = new ArrayList<>();
                    List<Edge> in = new ArrayList<>();
                    for (int peer = 0; peer < ranks; peer++) {
                        int its = peer;
                        byte[] message = new byte[50_000 * (world.rank() + peer)];
                        Arrays.fill(message, (byte) world.rank());
                        out.add(new Edge(peer, MemorySegment.ofArray(message)));
                        in.add(
                                new Edge(
                                        peer,
                                        MemorySegment.NULL,
                                        bytes -> {
                                            came[its] = new byte[(int) bytes];
                                            return MemorySegment.ofArray(came[its]);
                                        }));
                    }
                    Collective exchange = world.exchangeInit(out, in);
                    for (int run = 0; run < 2; run++) {
                        Arrays.fill(came, null);
                        exchange.run();
                        for (int peer = 0; peer < ranks; peer++) {
                            byte[] expected = new byte[50_000 * (world.rank() + peer)];
                            Arrays.fill(expected, (byte) peer);
                            assertThat(came[peer]).isEqualTo(expected);
                        }
                    }
                    return 0;
                });
    }

    @Test
    void aPartOfAnotherLengthIsNamedOnEveryRank() throws Exception {
        onEveryRank(
                3,
                world -> {
                    Topology ring = Topology.of(world, new Grid(new int[] {3}, true));
                    int length = world.rank() == 1 ? 2 : 1;
                    assertThatThrownBy(
                                    () -> {
                                        while (true) {
                                            ring.alltoall(
                                                    of(new int[2 * length]),
                                                    of(new int[2 * length]));
                                        }
                                    })
                            .isInstanceOf(MismatchException.class)
                            .hasMessageContaining("exchange");
                    return 0;
                });
    }

    @Test
    void nothingIsSentWhenAnArgumentIsWrong() throws Exception {
        onEveryRank(
                2,
                world -> {
                    Topology ring = Topology.of(world, new Grid(new int[] {2}, true));
                    int[] both = new int[4];
                    MemorySegment all = of(both);
                    List<MemorySegment> parts = List.of(all.asSlice(0, 4), all.asSlice(4, 4));
                    assertRefused(
                            () ->
                                    ring.alltoallw(
                                            parts, List.of(all.asSlice(8, 4), all.asSlice(6, 4))),
                            "the message to rank %d and the message from rank %d overlap in memory"
                                    .formatted(1 - world.rank(), 1 - world.rank()));
                    assertRefused(
                            () ->
                                    ring.alltoallw(
                                            parts, List.of(all.asSlice(8, 4), all.asSlice(10, 4))),
                            "the message from rank %d and the message from rank %d overlap in memory"
                                    .formatted(1 - world.rank(), 1 - world.rank()));
                    assertRefused(
                            () -> ring.alltoallw(parts, parts.subList(0, 1)),
                            "received has 1 parts for 2 neighbours");
                    assertRefused(
                            () -> ring.alltoallw(parts, List.of(of(1), of(2).asReadOnly())),
                            "the message from rank %d goes to read-only memory"
                                    .formatted(1 - world.rank()));
                    assertRefused(
                            () -> ring.alltoall(Elements.of(new int[3]), Elements.of(both)),
                            "data has 12 bytes, which are no 2 equal parts of elements of 4 bytes");
                    assertRefused(
                            () -> ring.allgatherv(all, of(both), Parts.packed(8, 9)),
                            "gathered has 16 bytes; part 1 has 9 from 8 on");
                    assertRefused(
                            () -> Topology.of(world, new Grid(new int[] {3}, true)),
                            "a grid of [3] has 3 places, but there are 2 ranks");
                    assertRefused(
                            () -> Topology.of(world, new int[] {0, 2}, new int[0]),
                            "source 2 is outside 0 to 1");
                    assertRefused(
                            () -> Topology.of(world, new int[0], new int[] {-1}),
                            "destination -1 is outside 0 to 1");
                    assertRefused(
                            () -> world.exchange(List.of(new Edge(2, all)), List.of()),
                            "destination 2 is outside 0 to 1");
                    assertRefused(
                            () -> world.exchange(List.of(new Edge(world.rank(), all)), List.of()),
                            "rank %d sends itself 1 messages, but receives 0"
                                    .formatted(world.rank()));
                    world.barrier();
                    return 0;
                });
    }

    private static void assertRefused(Runnable call, String message) {
        assertThatThrownBy(call::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    /** One with neighbours of its own and one without have the same calls. */
    @Test
    void whoHasNoNeighbourTakesItsPlace() throws Exception {
        onEveryRank(
                3,
                world -> {
                    try (Communicator ranks = world.dup()) {
                        int[] other =
                                switch (world.rank()) {
                                    case 0 -> new int[] {2};
                                    case 2 -> new int[] {0};
                                    default -> new int[0];
                                };
                        Topology pair = Topology.of(ranks, other, other);
                        for (int step = 0; step < 100; step++) {
                            int[] got = new int[other.length];
                            pair.allgather(Elements.of(new int[] {step}), Elements.of(got));
                            assertThat(Arrays.stream(got)).allMatch(Integer.valueOf(step)::equals);
                        }
                        ranks.barrier();
                    }
                    return 0;
                });
    }
}

package org.madcast.client.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.madcast.client.internal.LoopbackRanks.onEveryRank;

import java.io.ObjectInputFilter;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.client.Messages;
import org.madcast.client.ObjectException;

/** Objects in messages and collective operations, over real sockets. */
@Timeout(180)
class LoopbackObjectsTest {

    private static List<String> names(String of, int size) {
        return IntStream.range(0, size).mapToObj(rank -> of.repeat(rank) + rank).toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void everyCollectiveCarriesObjectsOfDifferentLengths(int size) throws Exception {
        onEveryRank(
                size,
                world -> {
                    int rank = world.rank();
                    int root = size - 1;
                    Map<String, Integer> sent = Map.of("size", size);
                    Map<String, Integer> got = world.bcastObject(rank == root ? sent : null, root);
                    assertThat(got).isEqualTo(sent);
                    String own = names("a", size).get(rank);
                    assertThat(world.gatherObjects(own, root))
                            .isEqualTo(rank == root ? names("a", size) : List.of());
                    assertThat(world.allgatherObjects(own)).isEqualTo(names("a", size));
                    List<String> all = rank == root ? names("b", size) : null;
                    String part = world.scatterObjects(all, root);
                    assertThat(part).isEqualTo(names("b", size).get(rank));
                    List<String> from =
                            world.alltoallObjects(
                                    names("c", size).stream().map(to -> rank + to).toList());
                    assertThat(from)
                            .isEqualTo(
                                    IntStream.range(0, size)
                                            .mapToObj(it -> it + names("c", size).get(rank))
                                            .toList());
                    String joined = String.join("", names("a", size));
                    assertThat(world.reduceObjects(own, String::concat, root))
                            .isEqualTo(rank == root ? joined : null);
                    assertThat(world.allreduceObjects(own, String::concat)).isEqualTo(joined);
                    return 0;
                });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void messagesCarryObjectsAndNull(int size) throws Exception {
        onEveryRank(
                size,
                world -> {
                    int next = (world.rank() + 1) % size;
                    int before = (world.rank() + size - 1) % size;
                    var begun = world.<List<Integer>>irecvObject(before, 1);
                    var none = world.<@Nullable String>irecvObject(Messages.ANY_SOURCE, 2);
                    List<Integer> mine =
                            new ArrayList<>(Collections.nCopies(100_000, world.rank()));
                    var sent = world.isendObject(mine, next, 1);
                    mine.clear(); // what is sent is written already
                    world.isendObject(null, next, 2).join();
                    assertThat(begun.join()).isEqualTo(Collections.nCopies(100_000, before));
                    assertThat(none.join()).isNull();
                    sent.join();
                    if (size > 1) {
                        if (world.rank() == 0) {
                            world.sendObject("hello", 1, 3);
                        } else if (world.rank() == 1) {
                            String text = world.recvObject(0, Messages.ANY_TAG);
                            assertThat(text).isEqualTo("hello");
                        }
                    }
                    return 0;
                });
    }

    private static URL url() {
        try {
            return URI.create("http://localhost/").toURL();
        } catch (MalformedURLException wrong) {
            throw new AssertionError(wrong);
        }
    }

    @Test
    void aRefusedClassIsNamedAndTheRanksStayInStep() throws Exception {
        onEveryRank(
                3,
                world -> {
                    int rank = world.rank();
                    if (rank == 0) {
                        assertThat(world.bcastObject(url(), 0)).isEqualTo(url());
                        assertThatThrownBy(() -> world.bcastObject(new Object(), 0))
                                .isInstanceOf(IllegalArgumentException.class)
                                .hasMessageContaining("java.lang.Object");
                    } else {
                        assertThatThrownBy(() -> world.bcastObject(null, 0))
                                .isInstanceOf(ObjectException.class)
                                .hasMessageContaining("java.net.URL");
                    }
                    Object own = rank == 1 ? url() : "text";
                    if (rank == 1) {
                        assertThat(world.allgatherObjects(own)).contains("text");
                    } else {
                        assertThatThrownBy(() -> world.allgatherObjects(own))
                                .isInstanceOf(ObjectException.class)
                                .hasMessageContaining("java.net.URL");
                    }
                    assertThat(world.allreduceObjects(rank, Integer::sum)).isEqualTo(3);
                    return 0;
                });
    }

    @Test
    void theConfiguredFilterIsThatOfEveryCommunicatorOfTheProcess() throws Exception {
        onEveryRank(
                2,
                builder ->
                        builder.objectFilter(
                                ObjectInputFilter.Config.createFilter("java.net.URL;!java.util.*")),
                world -> {
                    try (var copy = world.dup()) {
                        assertThat(copy.bcastObject(world.rank() == 0 ? url() : null, 0))
                                .isEqualTo(url());
                        List<String> list = world.rank() == 0 ? new ArrayList<>() : null;
                        if (world.rank() == 0) {
                            assertThat(copy.bcastObject(list, 0)).isEmpty();
                        } else {
                            assertThatThrownBy(() -> copy.bcastObject(list, 0))
                                    .isInstanceOf(ObjectException.class)
                                    .hasMessageContaining("java.util.ArrayList")
                                    .hasMessageContaining("object filter");
                        }
                    }
                    return 0;
                });
    }

    @Test
    void whatIsNotOneObjectOrNotOneForEachRankIsRefused() throws Exception {
        onEveryRank(
                2,
                world -> {
                    if (world.rank() == 0) {
                        world.send(java.lang.foreign.MemorySegment.ofArray(new byte[0]), 1, 0);
                        assertThatThrownBy(() -> world.scatterObjects(List.of("one"), 0))
                                .isInstanceOf(IllegalArgumentException.class)
                                .hasMessageContaining("1 messages for 2 ranks");
                        assertThatThrownBy(() -> world.scatterObjects(null, 0))
                                .isInstanceOf(IllegalArgumentException.class);
                    } else {
                        assertThatThrownBy(() -> world.recvObject(0, 0))
                                .isInstanceOf(ObjectException.class);
                    }
                    world.barrier();
                    return 0;
                });
    }
}

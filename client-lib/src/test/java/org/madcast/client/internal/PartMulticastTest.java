package org.madcast.client.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.madcast.client.internal.LoopbackRanks.content;
import static org.madcast.client.internal.LoopbackRanks.onEveryRank;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.madcast.client.Algorithm;
import org.madcast.client.BroadcastParameters;
import org.madcast.client.Communicator;
import org.madcast.client.FewDescriptors;
import org.madcast.client.GroupSource;

/** Communicators that are made out of others take a group when they first need one, or none. */
@Timeout(180)
class PartMulticastTest {

    private static final long ALWAYS = 0;
    private static final long NEVER = -1;

    private static void onRanks(int ranks, long fromBytes, Function<Communicator, Integer> program)
            throws Exception {
        BroadcastParameters parameters =
                BroadcastParameters.builder().partMulticastBytes(fromBytes).build();
        onEveryRank(ranks, config -> config.parameters(parameters), program);
    }

    private static void assertBroadcast(Communicator communicator, int bytes) {
        byte[] message = communicator.rank() == 1 ? content(1, bytes) : new byte[bytes];
        communicator.bcast(message, 1);
        assertThat(message).isEqualTo(content(1, bytes));
    }

    @Test
    void theFirstBroadcastTakesAGroupAndTheOthersUseIt() throws Exception {
        onRanks(
                3,
                ALWAYS,
                world -> {
                    try (Communicator part = world.dup()) {
                        part.barrier();
                        assertThat(part.info().group()).isNull();
                        assertBroadcast(part, 20_000);
                        assertThat(part.info().groupSource()).isEqualTo(GroupSource.RANDOM);
                        assertThat(part.info().group()).isNotEqualTo(world.info().group());
                        assertThat(part.info().name()).isEqualTo("world.0");
                        assertBroadcast(part, 10);
                        byte[] message = part.rank() == 1 ? content(1, 99) : new byte[99];
                        part.site("begun").ibcast(MemorySegment.ofArray(message), 1).join();
                        assertThat(message).isEqualTo(content(1, 99));
                        assertThat(part.statistics().broadcasts()).isEqualTo(3);
                        assertThat(part.statistics().datagramsSent()).isPositive();
                        assertThat(part.selection(10).reason()).doesNotContain("messages serve");
                    }
                    return 0;
                });
    }

    @Test
    void onOneHostMessagesServe() throws Exception {
        onRanks(
                3,
                16 << 10,
                world -> {
                    try (Communicator part = world.dup()) {
                        assertBroadcast(part, 1 << 20);
                        assertThat(part.info().groupSource()).isEqualTo(GroupSource.NONE);
                        assertThat(part.selection(1 << 20).algorithm()).isEqualTo(Algorithm.CHAIN);
                        assertThat(part.statistics().messageBytes()).isEqualTo(1 << 20);
                    }
                    return 0;
                });
    }

    @Test
    void anAlgorithmThatMulticastsTakesAGroupUnlessThatIsForbidden() throws Exception {
        for (long fromBytes : new long[] {16 << 10, NEVER}) {
            onRanks(
                    3,
                    fromBytes,
                    world -> {
                        try (Communicator part = world.dup()) {
                            byte[] message = part.rank() == 0 ? content(0, 70) : new byte[70];
                            part.bcast(MemorySegment.ofArray(message), 0, Algorithm.ONCE);
                            assertThat(message).isEqualTo(content(0, 70));
                            assertThat(part.info().groupSource())
                                    .isEqualTo(
                                            fromBytes == NEVER
                                                    ? GroupSource.NONE
                                                    : GroupSource.RANDOM);
                        }
                        return 0;
                    });
        }
    }

    @Test
    void beyondTheBoundMessagesServeUntilAGroupIsGivenBack() throws Exception {
        onRanks(
                2,
                ALWAYS,
                world -> {
                    List<Communicator> parts = new ArrayList<>();
                    for (int i = 0; i <= World.MOST_ENGINES; i++) {
                        parts.add(world.dup());
                        assertBroadcast(parts.getLast(), 100);
                    }
                    assertThat(parts)
                            .filteredOn(it -> it.info().groupSource() == GroupSource.RANDOM)
                            .hasSize(World.MOST_ENGINES);
                    assertThat(parts.getLast().info().group()).isNull();
                    parts.getFirst().close();
                    try (Communicator again = world.dup()) {
                        assertBroadcast(again, 100);
                        assertThat(again.info().group()).isNotNull();
                    }
                    parts.forEach(Communicator::close);
                    return 0;
                });
    }

    @Test
    void oneRankWithoutAPlaceIsEnoughForMessagesToServe() throws Exception {
        onRanks(
                3,
                ALWAYS,
                world -> {
                    World shared = ((MessagingCommunicator) world).group().world();
                    for (int i = 0; i < World.MOST_ENGINES && world.rank() == 2; i++) {
                        assertThat(shared.takeEngine()).isTrue();
                    }
                    try (Communicator part = world.dup()) {
                        assertBroadcast(part, 50_000);
                        assertThat(part.info().group()).isNull();
                    }
                    for (int i = 0; i < World.MOST_ENGINES - 1 && world.rank() != 2; i++) {
                        assertThat(shared.takeEngine()).isTrue();
                    }
                    assertThat(shared.takeEngine()).isEqualTo(world.rank() != 2);
                    return 0;
                });
    }

    @Test
    void whenNoSocketCanBeOpenedMessagesServe() throws Exception {
        // A log's first line reads files, for its time zone.
        System.getLogger("madcast.test").log(System.Logger.Level.INFO, "a first line");
        onRanks(
                3,
                ALWAYS,
                world -> {
                    try (Communicator part = world.dup();
                            Communicator waiting = world.dup()) {
                        assertBroadcast(waiting, 100); // so that all classes are there
                        byte[] data = new byte[3];
                        part.alltoall(
                                MemorySegment.ofArray(data), MemorySegment.ofArray(data.clone()));
                        FewDescriptors few = part.rank() == 0 ? FewDescriptors.none() : null;
                        try {
                            waiting.barrier();
                            assertBroadcast(part, 50_000);
                            waiting.barrier();
                        } finally {
                            if (few != null) {
                                few.close();
                            }
                        }
                        assertThat(part.info().group()).isNull();
                        assertBroadcast(part, 50_000);
                        assertThat(waiting.info().group()).isNotNull();
                    }
                    return 0;
                });
    }
}

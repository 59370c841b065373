package org.madcast.client.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.madcast.client.internal.LoopbackRanks.content;
import static org.madcast.client.internal.LoopbackRanks.onEveryRank;

import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.madcast.client.Algorithm;
import org.madcast.client.BroadcastParameters;
import org.madcast.client.Communicator;
import org.madcast.client.GroupSource;
import org.madcast.client.MismatchException;
import org.madcast.client.RankLostException;

/** Communicators that are made out of others, over real messages on loopback. */
@Timeout(180)
class PartCommunicatorTest {

    @Test
    void splittingMakesCommunicatorsThatWorkBesideTheirParent() throws Exception {
        onEveryRank(
                5,
                parent -> {
                    int color = parent.rank() == 4 ? -1 : parent.rank() % 2;
                    Optional<Communicator> made = parent.split(color, -parent.rank());
                    assertThat(made.isPresent()).isEqualTo(color >= 0);
                    if (made.isPresent()) {
                        try (Communicator part = made.get()) {
                            assertThat(part.size()).isEqualTo(2);
                            assertThat(part.rank()).isEqualTo(parent.rank() < 2 ? 1 : 0);
                            assertThat(part.worldRank(part.rank())).isEqualTo(parent.rank());
                            assertThat(part.info().groupSource()).isEqualTo(GroupSource.NONE);
                            assertThat(part.info().members().get(part.rank()))
                                    .isEqualTo(parent.info().members().get(parent.rank()));
                            assertBroadcast(part, 70_000, 0, null);
                            part.barrier();
                        }
                    }
                    assertBroadcast(parent, 100, 4, null);
                    return 0;
                });
    }

    private static void assertBroadcast(
            Communicator communicator, int bytes, int root, @Nullable Algorithm algorithm) {
        byte[] message = communicator.rank() == root ? content(root, bytes) : new byte[bytes];
        if (algorithm == null) {
            communicator.bcast(message, root);
        } else {
            communicator.bcast(MemorySegment.ofArray(message), root, algorithm);
        }
        assertThat(message).isEqualTo(content(root, bytes));
    }

    @Test
    void everyRankGetsTheRootsMessageHoweverItTravels() throws Exception {
        onEveryRank(
                5,
                world -> {
                    try (Communicator part = world.dup()) {
                        for (int bytes : new int[] {0, 1, 8192, 8193, 100_000, 1_000_003}) {
                            for (int root = 0; root < part.size(); root++) {
                                assertBroadcast(part, bytes, root, null);
                            }
                        }
                        for (Algorithm algorithm : Algorithm.values()) {
                            if (!algorithm.usesMulticast()) {
                                assertBroadcast(part, 200_001, 3, algorithm);
                            }
                        }
                        assertThat(part.statistics().broadcasts()).isEqualTo(36);
                    }
                    return 0;
                });
    }

    /** Nobody else takes part: the call needs no message of another rank. */
    @Test
    void oneRankAloneDuplicatesAndMakesAGroup() throws Exception {
        onEveryRank(
                3,
                world -> {
                    if (world.rank() == 0) {
                        world.dup().close();
                        world.createGroup(List.of(2, 0), 7).close();
                    }
                    return 0;
                });
    }

    @Test
    void someRanksMakeACommunicatorWithoutTheOthers() throws Exception {
        onEveryRank(
                5,
                world -> {
                    if (world.rank() % 2 == 0) {
                        for (int again = 0; again < 3; again++) {
                            try (Communicator part = world.createGroup(List.of(4, 0, 2), 7)) {
                                assertThat(part.worldRank(0)).isEqualTo(4);
                                assertThat(part.worldRank(part.rank())).isEqualTo(world.rank());
                                assertBroadcast(part, 100, 0, null);
                            }
                        }
                    } else {
                        try (Communicator part = world.createGroup(List.of(1, 3), 7)) {
                            assertBroadcast(part, 100, 1, null);
                        }
                    }
                    return 0;
                });
    }

    @Test
    void whatIsNoListOfRanksIsRefused() throws Exception {
        onEveryRank(
                2,
                world -> {
                    assertThatThrownBy(() -> world.createGroup(List.of(0, 1, 2), 0))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessage("rank 2 is outside 0 to 1");
                    assertThatThrownBy(() -> world.createGroup(List.of(0, 1, 0), 0))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessage("rank 0 is twice in [0, 1, 0]");
                    assertThatThrownBy(() -> world.createGroup(List.of(1 - world.rank()), 0))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("to which it does not belong");
                    assertThatThrownBy(() -> world.worldRank(2))
                            .isInstanceOf(IllegalArgumentException.class);
                    return 0;
                });
    }

    @Test
    void partsOutliveTheirParentsAndTheLastOneClosesTheEndpoint() throws Exception {
        onEveryRank(
                3,
                world -> {
                    Communicator child = world.dup();
                    Communicator grandchild = child.split(0, 0).orElseThrow();
                    world.close();
                    child.close();
                    assertBroadcast(grandchild, 20_000, 1, null);
                    grandchild.close();
                    assertThatThrownBy(grandchild::dup).isInstanceOf(IllegalStateException.class);
                    return 0;
                });
    }

    /** Whichever of them hears of it first. */
    @RepeatedTest(20)
    void aRankThatIsGivenUpEndsTheCallsOfAll() throws Exception {
        onEveryRank(
                3,
                world -> {
                    try (Communicator part = world.dup()) {
                        if (part.rank() == 0) {
                            part.markFailed(2);
                        }
                        assertThatThrownBy(
                                        () -> {
                                            while (true) {
                                                part.barrier();
                                            }
                                        })
                                .isInstanceOf(RankLostException.class)
                                .hasMessageContaining(part.rank() == 2 ? "lost" : "rank 2");
                    }
                    return 0;
                });
    }

    @Test
    void messagesWaitForACommunicatorThatIsNotThereYet() throws Exception {
        onEveryRank(
                2,
                world -> {
                    if (world.rank() == 0) {
                        try (Communicator part = world.dup()) {
                            part.send(MemorySegment.ofArray(content(0, 500)), 1, 3);
                            world.send(MemorySegment.ofArray(new byte[1]), 1, 0);
                            part.barrier();
                        }
                        return 0;
                    }
                    world.recv(MemorySegment.ofArray(new byte[1]), 0, 0);
                    try (Communicator part = world.dup()) {
                        byte[] message = new byte[500];
                        part.recv(MemorySegment.ofArray(message), 0, 3);
                        assertThat(message).isEqualTo(content(0, 500));
                        part.barrier();
                    }
                    return 0;
                });
    }

    /** More than a rank may make another keep: what is dropped gives its credit back. */
    @Test
    void messagesForAClosedCommunicatorAreDropped() throws Exception {
        onEveryRank(
                2,
                world -> {
                    Communicator part = world.dup();
                    byte[] message = new byte[8 << 10];
                    if (world.rank() == 1) {
                        part.close();
                    }
                    world.barrier();
                    if (world.rank() == 0) {
                        for (int i = 0; i < 500; i++) {
                            part.send(MemorySegment.ofArray(message), 1, 0);
                        }
                        part.ssend(MemorySegment.ofArray(message), 1, 0);
                        part.close();
                    }
                    world.barrier();
                    return 0;
                });
    }

    /** Rank 1 passes the message on, which it must do after its close as before. */
    @Test
    void closingWaitsForWhatWasBegun() throws Exception {
        onEveryRank(
                4,
                world -> {
                    byte[] message =
                            world.rank() == 0 ? content(0, 2_000_000) : new byte[2_000_000];
                    Communicator part = world.dup();
                    var begun = part.ibcast(MemorySegment.ofArray(message), 0, Algorithm.CHAIN);
                    part.close();
                    begun.join();
                    assertThat(message).isEqualTo(content(0, 2_000_000));
                    return 0;
                });
    }

    @Test
    void closingEndsOnAllRanksWhatOneDoesNotTakePartIn() throws Exception {
        BroadcastParameters impatient =
                BroadcastParameters.builder().deathTimeout(Duration.ofMillis(500)).build();
        onEveryRank(
                3,
                config -> config.parameters(impatient),
                world -> {
                    Communicator part = world.dup();
                    if (part.rank() > 0) {
                        var begun = part.ibarrier();
                        if (part.rank() == 1) {
                            part.close();
                        }
                        assertThatThrownBy(begun::join)
                                .hasCauseInstanceOf(MismatchException.class)
                                .hasMessageContaining("closed the communicator");
                    }
                    world.barrier();
                    part.close();
                    return 0;
                });
    }

    @Test
    void ranksThatBroadcastDifferentlyAllHearOfBothCalls() throws Exception {
        onEveryRank(
                3,
                world -> {
                    try (Communicator part = world.dup()) {
                        byte[] message = new byte[part.rank() == 1 ? 7 : 8];
                        assertThatThrownBy(
                                        () -> {
                                            while (true) {
                                                part.bcast(message, 0);
                                            }
                                        })
                                .isInstanceOf(MismatchException.class)
                                .hasMessageContaining("bcast (root 0, 7 bytes)")
                                .hasMessageContaining("bcast (root 0, 8 bytes)");
                    }
                    return 0;
                });
    }

    @Test
    void manyCommunicatorsAddNoThreadAndNoDescriptor() throws Exception {
        onEveryRank(
                2,
                world -> {
                    world.alltoall(
                            MemorySegment.ofArray(new byte[2]), MemorySegment.ofArray(new byte[2]));
                    world.barrier();
                    int threads = threads();
                    int descriptors = descriptors(world);
                    List<Communicator> many = new ArrayList<>();
                    for (int i = 0; i < 500; i++) {
                        many.add(i % 2 == 0 ? world.dup() : world.split(0, 0).orElseThrow());
                    }
                    many.forEach(Communicator::barrier);
                    assertThat(threads()).isLessThanOrEqualTo(threads);
                    assertThat(descriptors(world)).isLessThanOrEqualTo(descriptors);
                    many.forEach(Communicator::close);
                    return 0;
                });
    }

    private static int threads() {
        return (int)
                Thread.getAllStackTraces().keySet().stream()
                        .filter(it -> it.getName().startsWith("madcast"))
                        .count();
    }

    /** Of this process, which all ranks share: to count them takes one. */
    private static int descriptors(Communicator world) {
        int[] count = new int[1];
        world.barrier();
        if (world.rank() == 0) {
            String[] open = Path.of("/proc/self/fd").toFile().list();
            count[0] = open == null ? 0 : open.length;
        }
        world.bcast(MemorySegment.ofArray(count), 0);
        world.barrier();
        return count[0];
    }

    /** What is allocated bounds what is kept. */
    @Test
    void aCommunicatorOf16RanksNeedsLittleMemory() throws Exception {
        onEveryRank(
                16,
                world -> {
                    world.dup().close();
                    var threads =
                            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
                    long before = threads.getCurrentThreadAllocatedBytes();
                    List<Communicator> many = new ArrayList<>();
                    for (int i = 0; i < 100; i++) {
                        many.add(world.dup());
                    }
                    long bytes = threads.getCurrentThreadAllocatedBytes() - before;
                    assertThat(bytes / many.size()).isLessThan(64 << 10);
                    many.forEach(Communicator::close);
                    return 0;
                });
    }
}

package org.madcast.client.internal;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.madcast.client.internal.LoopbackRanks.content;
import static org.madcast.client.internal.LoopbackRanks.onEveryRank;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.madcast.client.Algorithm;
import org.madcast.client.BroadcastParameters;
import org.madcast.client.CommunicatorStatistics;
import org.madcast.client.GroupSource;
import org.madcast.client.MismatchException;
import org.madcast.client.lease.WarningLog;

/** Real multicast and unicast sockets on loopback, several ranks in one process. */
@Timeout(180)
class LoopbackBroadcastTest {

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void everyAlgorithmDeliversFromEveryRoot(Algorithm algorithm) throws Exception {
        int ranks = 5;
        int[] sizes = {0, 1, 5_000, 300_000};
        List<List<byte[]>> received =
                onEveryRank(
                        ranks,
                        communicator -> {
                            List<byte[]> messages = new ArrayList<>();
                            for (int size : sizes) {
                                for (int root = 0; root < ranks; root++) {
                                    byte[] message =
                                            communicator.rank() == root
                                                    ? content(root, size)
                                                    : new byte[size];
                                    communicator.bcast(
                                            java.lang.foreign.MemorySegment.ofArray(message),
                                            root,
                                            algorithm);
                                    messages.add(message);
                                }
                            }
                            return messages;
                        });
        for (List<byte[]> ofRank : received) {
            int next = 0;
            for (int size : sizes) {
                for (int root = 0; root < ranks; root++) {
                    assertThat(ofRank.get(next++)).isEqualTo(content(root, size));
                }
            }
        }
    }

    /** The fewest channels that seed 003 knows: after two datagrams the ranks synchronise. */
    @ParameterizedTest
    @EnumSource(
            value = Algorithm.class,
            names = {"ONCE", "IPMC", "CHAIN"})
    void aWindowOfTwoDatagramsIsEnough(Algorithm algorithm) throws Exception {
        BroadcastParameters two = BroadcastParameters.builder().windowBytes(1024).build();
        List<List<byte[]>> received =
                onEveryRank(
                        3,
                        builder -> builder.parameters(two),
                        communicator -> {
                            List<byte[]> messages = new ArrayList<>();
                            for (int i = 0; i < 20; i++) {
                                byte[] message =
                                        communicator.rank() == i % 3
                                                ? content(i, 1 + 997 * i)
                                                : new byte[1 + 997 * i];
                                communicator.bcast(
                                        java.lang.foreign.MemorySegment.ofArray(message),
                                        i % 3,
                                        algorithm);
                                messages.add(message);
                            }
                            return messages;
                        });
        for (List<byte[]> ofRank : received) {
            for (int i = 0; i < ofRank.size(); i++) {
                assertThat(ofRank.get(i)).isEqualTo(content(i, 1 + 997 * i));
            }
        }
    }

    @Test
    void partsOfArraysOfEveryPrimitiveTypeAreBroadcast() throws Exception {
        List<Object[]> received =
                onEveryRank(
                        3,
                        communicator -> {
                            boolean root = communicator.rank() == 1;
                            int at = root ? 1 : 2;
                            double[] doubles = {0, root ? 1.5 : 0, root ? 2.5 : 0, 0, 0};
                            float[] floats = {0, root ? 1.5f : 0, root ? 2.5f : 0, 0, 0};
                            long[] longs = {0, root ? 1L << 40 : 0, root ? 2 : 0, 0, 0};
                            int[] ints = {0, root ? 1 : 0, root ? 2 : 0, 0, 0};
                            short[] shorts = {0, (short) (root ? 1 : 0), 0, 0, 0};
                            char[] chars = {'-', root ? 'a' : '-', '-', '-', '-'};
                            byte[] bytes = {0, (byte) (root ? 1 : 0), 0, 0, 0};
                            communicator.bcast(doubles, at, 2, 1);
                            communicator.ibcast(floats, at, 2, 1).join();
                            communicator.bcast(floats, at, 2, 1);
                            communicator.ibcast(longs, at, 2, 1).join();
                            communicator.bcast(longs, at, 2, 1);
                            communicator.ibcast(ints, at, 2, 1).join();
                            communicator.bcast(ints, at, 2, 1);
                            communicator.ibcast(shorts, at, 2, 1).join();
                            communicator.bcast(shorts, at, 2, 1);
                            communicator.ibcast(chars, at, 2, 1).join();
                            communicator.bcast(chars, at, 2, 1);
                            communicator.ibcast(bytes, at, 2, 1).join();
                            communicator.bcast(bytes, at, 2, 1);
                            communicator.ibcast(doubles, at, 2, 1).join();
                            return new Object[] {
                                doubles, floats, longs, ints, shorts, chars, bytes
                            };
                        });
        for (int rank : new int[] {0, 2}) {
            assertThat(Arrays.deepToString(received.get(rank)))
                    .isEqualTo(
                            "[[0.0, 0.0, 1.5, 2.5, 0.0], [0.0, 0.0, 1.5, 2.5, 0.0],"
                                    + " [0, 0, 1099511627776, 2, 0], [0, 0, 1, 2, 0],"
                                    + " [0, 0, 1, 0, 0], [-, -, a, -, -], [0, 0, 1, 0, 0]]");
        }
    }

    @Test
    void aPartBeyondTheArrayIsRefused() throws Exception {
        onEveryRank(
                1,
                communicator -> {
                    assertThatThrownBy(() -> communicator.bcast(new int[5], 4, 2, 0))
                            .isInstanceOf(IndexOutOfBoundsException.class);
                    assertThatThrownBy(() -> communicator.ibcast(new long[5], -1, 2, 0))
                            .isInstanceOf(IndexOutOfBoundsException.class);
                    assertThat(communicator.info().local().compilers())
                            .isEqualTo(CompilerHint.compilers());
                    return 0;
                });
    }

    /** Longer and shorter than the pauses between messages. */
    @ParameterizedTest
    @CsvSource({"NIO, 1s", "NATIVE, 1s", "NIO, 50us", "NATIVE, 50us"})
    void ranksThatPollReceiveTheSame(BroadcastParameters.SocketPath path, String pollTime)
            throws Exception {
        BroadcastParameters parameters =
                BroadcastParameters.builder(Map.of("madcast.poll.time", pollTime), Map.of())
                        .socketPath(path)
                        .build();
        List<Boolean> right =
                onEveryRank(
                        3,
                        builder -> builder.parameters(parameters),
                        communicator -> {
                            boolean all = true;
                            for (int call = 0; call < 60; call++) {
                                int root = call % 3;
                                int size = call % 10 == 9 ? 300_000 : 16 * call;
                                byte[] message =
                                        communicator.rank() == root
                                                ? content(root, size)
                                                : new byte[size];
                                communicator.bcast(message, root);
                                all &= Arrays.equals(message, content(root, size));
                            }
                            return all;
                        });
        assertThat(right).containsExactly(true, true, true);
    }

    @Test
    void withoutAServiceTheGroupIsDrawnAtRandomAndTheSameOnAllRanks() throws Exception {
        List<String> groups =
                onEveryRank(
                        3,
                        communicator -> {
                            assertThat(communicator.info().groupSource())
                                    .isEqualTo(GroupSource.RANDOM);
                            return requireNonNull(communicator.info().group()).toString();
                        });
        assertThat(groups).hasSize(3).containsOnly(groups.getFirst());
    }

    @Test
    void differentSizesEndTheCallOnTheRankThatDiffersAndLaterCallsEverywhere() throws Exception {
        List<Throwable> outcomes =
                onEveryRank(
                        3,
                        communicator -> {
                            int size = communicator.rank() == 2 ? 101 : 100;
                            return assertThatThrownBy(
                                            () -> {
                                                while (true) {
                                                    communicator.bcast(new byte[size], 0);
                                                }
                                            })
                                    .actual();
                        });
        assertThat(outcomes)
                .allSatisfy(outcome ->
                        assertThat(outcome)
                                .isInstanceOf(MismatchException.class)
                                .hasMessageContaining("rank 2")
                                .hasMessageContaining("101")
                                .hasMessageContaining("100"));
    }

    /** Nobody calls again, and the others have returned when the one that differs calls. */
    @Test
    void aDifferenceInTheLastCallIsToldByClosing() throws Exception {
        CountDownLatch returned = new CountDownLatch(2);
        List<Throwable> outcomes =
                onEveryRank(
                        3,
                        communicator -> {
                            communicator.bcast(new byte[7], 1);
                            if (communicator.rank() != 2) {
                                communicator.bcast(new byte[100], 0);
                                returned.countDown();
                                return assertThatThrownBy(communicator::close).actual();
                            }
                            LoopbackRanks.await(returned);
                            Throwable told =
                                    assertThatThrownBy(() -> communicator.bcast(new byte[101], 0))
                                            .actual();
                            communicator.close(); // which does not say it again
                            return told;
                        });
        assertThat(outcomes)
                .allSatisfy(outcome ->
                        assertThat(outcome)
                                .isInstanceOf(MismatchException.class)
                                .hasMessageContaining("rank 2")
                                .hasMessageContaining("101")
                                .hasMessageContaining("100"));
    }

    @Test
    void aCommunicatorOfOneRankNeedsNobody() throws Exception {
        List<byte[]> messages =
                onEveryRank(
                        1,
                        communicator -> {
                            byte[] message = content(1, 1000);
                            communicator.bcast(message, 0);
                            return message;
                        });
        assertThat(messages.getFirst()).isEqualTo(content(1, 1000));
    }

    @Test
    void callersMistakesAreNamedWithTheirValues() throws Exception {
        onEveryRank(
                2,
                communicator -> {
                    assertThatThrownBy(() -> communicator.bcast(new byte[1], 2))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessage("root 2 is outside 0 to 1");
                    communicator.close();
                    assertThatThrownBy(() -> communicator.bcast(new byte[1], 0))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("closed");
                    return 0;
                });
    }

    /** Seed 000's statistics: what went to the group, and what from rank to rank. */
    @Test
    void multicastAndUnicastDatagramsAreCountedApart() throws Exception {
        int bytes = 300_000;
        List<CommunicatorStatistics> all =
                onEveryRank(
                        3,
                        communicator -> {
                            byte[] message = new byte[bytes];
                            communicator.bcast(
                                    java.lang.foreign.MemorySegment.ofArray(message),
                                    0,
                                    Algorithm.ONCE);
                            return communicator.statistics();
                        });
        long fragments = bytes / 4096;
        assertThat(all.get(0).multicastSent()).isBetween(fragments, all.get(0).datagramsSent());
        assertThat(all.get(0).datagramsReceived()).isGreaterThan(all.get(0).multicastReceived());
        for (int rank = 1; rank < 3; rank++) {
            CommunicatorStatistics receiver = all.get(rank);
            assertThat(receiver.multicastSent()).isLessThan(receiver.datagramsSent());
            assertThat(receiver.multicastReceived())
                    .isBetween(
                            fragments - receiver.repairsReceived(), receiver.datagramsReceived());
        }
    }

    @Test
    void aSizeOfFragmentsThatNoDatagramCarriesIsCappedAndLogged() throws Exception {
        BroadcastParameters large = BroadcastParameters.builder().fragmentSizeBytes(65_000).build();
        try (WarningLog log = new WarningLog(CommunicatorFactory.class)) {
            List<Integer> datagrams =
                    onEveryRank(
                            2,
                            builder -> builder.parameters(large),
                            communicator -> communicator.info().local().datagramBytes());
            assertThat(datagrams).containsOnly(8_972);
            assertThat(log.messages)
                    .hasSize(2)
                    .allMatch(it -> it.contains("fragment_size 65000 is capped to 8936 bytes"));
        }
    }

    @Test
    void broadcastsThatNobodyWaitsForObeyTheRootDelay() throws Exception {
        long delayNs = 300_000_000;
        BroadcastParameters late =
                BroadcastParameters.builder().rootWaitTime(Duration.ofNanos(delayNs)).build();
        List<Long> took =
                onEveryRank(
                        2,
                        builder -> builder.parameters(late),
                        communicator -> {
                            communicator.barrier();
                            long startNs = System.nanoTime();
                            byte[] message = new byte[100];
                            communicator
                                    .ibcast(java.lang.foreign.MemorySegment.ofArray(message), 0)
                                    .join();
                            return System.nanoTime() - startNs;
                        });
        assertThat(took.get(0)).isGreaterThanOrEqualTo(delayNs);
    }
}

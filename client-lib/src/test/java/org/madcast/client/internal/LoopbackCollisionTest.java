package org.madcast.client.internal;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.madcast.client.internal.LoopbackRanks.content;
import static org.madcast.client.internal.LoopbackRanks.onEveryRank;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MulticastSocket;
import java.net.NetworkInterface;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.client.BroadcastParameters;
import org.madcast.client.BroadcastParameters.SocketPath;
import org.madcast.client.Communicator;
import org.madcast.client.GroupSource;
import org.madcast.client.JobKey;
import org.madcast.client.MulticastGroup;

/** Another job drew the same group. */
@Timeout(300)
class LoopbackCollisionTest {

    private static final int RANKS = 4;
    private static final int STRANGERS = 50;

    @ParameterizedTest
    @EnumSource(SocketPath.class)
    void theCommunicatorMovesAndLosesNothing(SocketPath path) throws Exception {
        List<MulticastGroup> groups =
                onEveryRank(
                        RANKS,
                        config ->
                                config.parameters(
                                        BroadcastParameters.builder().socketPath(path).build()),
                        LoopbackCollisionTest::broadcastUntilMoved);
        assertThat(groups).hasSize(RANKS).containsOnly(groups.getFirst());
    }

    /** Rank 0 looks at its group four times a second. */
    private static final Duration SOME_LOOKS = Duration.ofSeconds(1);

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatStrangersSendToRankZerosOwnPortMovesNobody(boolean sealed) throws Exception {
        onEveryRank(
                2,
                config -> sealed ? config.key(JobKey.ofHex("5e".repeat(32))) : config,
                communicator -> {
                    MulticastGroup first = requireNonNull(communicator.info().group());
                    long startNs = System.nanoTime();
                    if (communicator.rank() == 0) {
                        disturb(communicator.info().members().getFirst());
                        while (strangers(communicator) < STRANGERS
                                || System.nanoTime() - startNs < SOME_LOOKS.toNanos()) {
                            LockSupport.parkNanos(5_000_000);
                        }
                    }
                    communicator.barrier();
                    assertThat(requireNonNull(communicator.info().group())).isEqualTo(first);
                    return 0;
                });
    }

    private static long strangers(Communicator communicator) {
        return communicator.statistics().rejected().values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    private static void disturb(InetSocketAddress rank) {
        byte[] foreign = foreignDatagram();
        try (DatagramSocket socket = new DatagramSocket()) {
            for (int i = 0; i < STRANGERS; i++) {
                socket.send(new DatagramPacket(foreign, foreign.length, rank));
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static MulticastGroup broadcastUntilMoved(Communicator communicator) {
        MulticastGroup first = requireNonNull(communicator.info().group());
        boolean allMoved = false;
        for (int i = 0; !allMoved; i++) {
            if (communicator.rank() == 0
                    && requireNonNull(communicator.info().group()).equals(first)) {
                disturb(first);
            }
            int root = i % RANKS;
            int size = 1_000 * (i % 50);
            byte[] expected = content(root, size);
            byte[] message = communicator.rank() == root ? expected.clone() : new byte[size];
            communicator.bcast(MemorySegment.ofArray(message), root);
            assertThat(message).isEqualTo(expected);
            allMoved =
                    allSay(
                            communicator,
                            !requireNonNull(communicator.info().group()).equals(first));
        }
        assertThat(communicator.info().groupSource()).isEqualTo(GroupSource.RANDOM);
        return requireNonNull(communicator.info().group());
    }

    private static boolean allSay(Communicator communicator, boolean own) {
        boolean all = true;
        for (int rank = 0; rank < RANKS; rank++) {
            byte[] word = {(byte) (own ? 1 : 0)};
            communicator.bcast(MemorySegment.ofArray(word), rank);
            all &= word[0] == 1;
        }
        return all;
    }

    /** Of our version, with another communicator's token. */
    private static byte[] foreignDatagram() {
        byte[] foreign = new byte[100];
        foreign[0] = 0x10;
        foreign[1] = 1;
        return foreign;
    }

    private static void disturb(MulticastGroup group) {
        byte[] foreign = foreignDatagram();
        try (MulticastSocket socket = new MulticastSocket()) {
            socket.setOption(
                    StandardSocketOptions.IP_MULTICAST_IF,
                    NetworkInterface.getByInetAddress(InetAddress.ofLiteral("127.0.0.1")));
            for (int i = 0; i < 4; i++) {
                socket.send(
                        new DatagramPacket(foreign, foreign.length, group.address(), group.port()));
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}

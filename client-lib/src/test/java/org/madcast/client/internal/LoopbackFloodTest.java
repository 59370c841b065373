package org.madcast.client.internal;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.madcast.client.internal.LoopbackRanks.content;
import static org.madcast.client.internal.LoopbackRanks.onEveryRank;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.net.DatagramPacket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MulticastSocket;
import java.net.NetworkInterface;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.madcast.client.Communicator;
import org.madcast.client.JobKey;
import org.madcast.client.MulticastGroup;

/**
 * 20,000 hostile datagrams a second from one source, to the ranks' own ports and to the group, also
 * after it has moved: all broadcasts are right, and no rank is taken for dead. How long: {@code
 * -Dmadcast.flood.seconds}.
 */
@Timeout(600)
final class LoopbackFloodTest {

    private static final int RANKS = 3;
    private static final long PAUSE_NS = 50_000;
    private static final JobKey KEY = JobKey.ofHex("5e".repeat(32));
    private static final long FLOOD_NS =
            Duration.ofSeconds(Long.getLong("madcast.flood.seconds", 3)).toNanos();

    @ParameterizedTest
    @CsvSource({"true, false", "false, true"})
    void broadcastsGoOn(boolean sealed, boolean fixedGroup) throws Exception {
        assertBroadcastsGoOn(sealed, fixedGroup);
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"false, false", "true, true"})
    void soTheyDoTheOtherWays(boolean sealed, boolean fixedGroup) throws Exception {
        assertBroadcastsGoOn(sealed, fixedGroup);
    }

    private static void assertBroadcastsGoOn(boolean sealed, boolean fixedGroup) throws Exception {
        CompletableFuture<Communicator> target = new CompletableFuture<>();
        AtomicBoolean over = new AtomicBoolean();
        Thread attacker = Thread.ofPlatform().daemon().start(() -> flood(target.join(), over));
        MulticastGroup group = new MulticastGroup(InetAddress.ofLiteral("239.255.77.31"), 45_031);
        try {
            onEveryRank(
                    RANKS,
                    config -> {
                        var grouped = fixedGroup ? config.group(group) : config;
                        return sealed ? grouped.key(KEY) : grouped;
                    },
                    communicator -> {
                        if (communicator.rank() == 0) {
                            target.complete(communicator);
                        }
                        broadcastUntilOver(communicator);
                        over.set(true);
                        return 0;
                    });
        } finally {
            over.set(true);
            attacker.join();
        }
    }

    private static void broadcastUntilOver(Communicator communicator) {
        long endNs = System.nanoTime() + FLOOD_NS;
        byte[] goesOn = {1};
        for (int call = 0; goesOn[0] == 1; call++) {
            int root = call % RANKS;
            byte[] sent = content(root, 1_000 * (call % 50));
            byte[] message = communicator.rank() == root ? sent.clone() : new byte[sent.length];
            communicator.bcast(MemorySegment.ofArray(message), root);
            assertThat(message).isEqualTo(sent);
            goesOn[0] = (byte) (System.nanoTime() < endNs ? 1 : 0);
            communicator.bcast(MemorySegment.ofArray(goesOn), 0);
        }
        long refused =
                communicator.statistics().rejected().values().stream()
                        .mapToLong(Long::longValue)
                        .sum();
        assertThat(refused).as("the flood arrived").isGreaterThan(1_000);
    }

    private static void flood(Communicator rankZero, AtomicBoolean over) {
        Random random = new Random(1);
        byte[] hostile = new byte[1_000];
        try (MulticastSocket socket = new MulticastSocket()) {
            socket.setOption(
                    StandardSocketOptions.IP_MULTICAST_IF,
                    NetworkInterface.getByInetAddress(InetAddress.ofLiteral("127.0.0.1")));
            InetSocketAddress group = requireNonNull(rankZero.info().group()).toSocketAddress();
            long dueNs = System.nanoTime();
            for (int i = 0; !over.get(); i++, dueNs += PAUSE_NS) {
                random.nextBytes(hostile);
                // The rank that a sealed datagram names, or the version and type of another one.
                hostile[0] = (byte) (i % 2 == 0 ? 0 : 0x10);
                hostile[1] = (byte) (i % RANKS);
                group =
                        i % 1_000 == 0
                                ? requireNonNull(rankZero.info().group()).toSocketAddress()
                                : group;
                InetSocketAddress to =
                        i % 2 == 0 ? group : rankZero.info().members().get(random.nextInt(RANKS));
                socket.send(new DatagramPacket(hostile, hostile.length, to));
                LockSupport.parkNanos(dueNs - System.nanoTime());
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}

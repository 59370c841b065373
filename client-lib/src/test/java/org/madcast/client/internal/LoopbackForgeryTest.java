package org.madcast.client.internal;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.madcast.client.internal.LoopbackRanks.content;
import static org.madcast.client.internal.LoopbackRanks.onEveryRank;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.DatagramPacket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MulticastSocket;
import java.net.NetworkInterface;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.madcast.client.Algorithm;
import org.madcast.client.BroadcastParameters;
import org.madcast.client.BroadcastParameters.SocketPath;
import org.madcast.client.Communicator;
import org.madcast.client.CommunicatorInfo;
import org.madcast.client.JobKey;
import org.madcast.client.MadcastException;
import org.madcast.client.protocol.FieldForger;
import org.madcast.netsim.RandomStream;

/**
 * Jobs on real sockets, and an attacker beside them who forges every field. Without a key a call
 * ends with the right bytes or an exception, but for the bytes of broadcasts of which fragments
 * were forged; with a key nothing happens at all. How long: {@code -Dmadcast.fuzz.seconds}.
 */
final class LoopbackForgeryTest {

    private static final int RANKS = 4;
    private static final int CALLS = 60;
    private static final List<Algorithm> ALGORITHMS = List.of(Algorithm.values());
    private static final JobKey KEY = JobKey.ofHex("5e".repeat(32));

    @Test
    void everyCallEndsAndWithAKeyAllIsWell() throws Exception {
        attackFor(Duration.ofSeconds(Long.getLong("madcast.fuzz.seconds", 6)));
    }

    @Test
    @Tag("slow")
    void forTenMinutes() throws Exception {
        attackFor(Duration.ofMinutes(10));
    }

    private static void attackFor(Duration duration) throws Exception {
        long endNs = System.nanoTime() + duration.toNanos();
        long seed = Long.getLong("madcast.seed", 1);
        do {
            attackedJob(seed, false);
            attackedJob(seed, true);
            seed++;
        } while (System.nanoTime() < endNs);
    }

    private static void attackedJob(long seed, boolean sealed) throws Exception {
        RandomStream random = RandomStream.of(seed, "job");
        SocketPath path = random.chance(0.5) ? SocketPath.NIO : SocketPath.AUTO;
        BroadcastParameters parameters =
                BroadcastParameters.builder()
                        .deathTimeout(Duration.ofSeconds(1))
                        .socketPath(path)
                        .build();
        CompletableFuture<CommunicatorInfo> joined = new CompletableFuture<>();
        // Without a key a forged failure may also end a job before the last rank has joined it.
        CountDownLatch toJoin = new CountDownLatch(sealed ? 1 : RANKS);
        AtomicBoolean over = new AtomicBoolean();
        FieldForger[] forger = new FieldForger[1];
        Thread attacker =
                Thread.ofPlatform()
                        .daemon()
                        .start(() -> {
                            CommunicatorInfo info = joined.join();
                            forger[0] = new FieldForger(random, RANKS, info.token(), 1472);
                            attack(info, forger[0], sealed, random, over);
                        });
        try {
            List<Boolean> failed =
                    onEveryRank(
                            RANKS,
                            config -> (sealed ? config.key(KEY) : config).parameters(parameters),
                            communicator -> {
                                toJoin.countDown();
                                if (toJoin.getCount() == 0) {
                                    joined.complete(communicator.info());
                                }
                                boolean ended = broadcastAll(communicator, seed, forger);
                                return close(communicator) || ended;
                            });
            if (sealed) {
                assertThat(failed).as("seed %d, with a key", seed).containsOnly(false);
            }
        } catch (Exception | AssertionError failure) {
            throw new AssertionError("seed " + seed + (sealed ? ", sealed" : ""), failure);
        } finally {
            over.set(true);
            attacker.join();
        }
    }

    /** A forged mismatch of which no call has told is told now. */
    private static boolean close(Communicator communicator) {
        try {
            communicator.close();
            return false;
        } catch (MadcastException untold) {
            return true;
        }
    }

    /** Whether a call ended with an exception. */
    private static boolean broadcastAll(
            Communicator communicator, long seed, @Nullable FieldForger[] forger) {
        RandomStream script = RandomStream.of(seed, "script");
        for (int call = 0; call < CALLS; call++) {
            int root = script.nextInt(RANKS);
            int bytes = script.nextInt(1 << (4 + script.nextInt(14)));
            Algorithm algorithm = ALGORITHMS.get(script.nextInt(ALGORITHMS.size()));
            byte[] sent = content(root, bytes);
            byte[] message = communicator.rank() == root ? sent.clone() : new byte[bytes];
            try {
                communicator.bcast(MemorySegment.ofArray(message), root, algorithm);
            } catch (MadcastException ended) {
                return true;
            }
            FieldForger forging = forger[0];
            assertThat(
                            Arrays.equals(message, sent)
                                    || (forging != null && forging.mayBeWrong(call)))
                    .as("rank %d, broadcast %d", communicator.rank(), call)
                    .isTrue();
        }
        return false;
    }

    private static void attack(
            CommunicatorInfo info,
            FieldForger forger,
            boolean sealed,
            RandomStream random,
            AtomicBoolean over) {
        long pauseNs = 1 + (long) Math.pow(10, 4.7 + 2.3 * random.nextDouble());
        try (MulticastSocket socket = new MulticastSocket(requireNonNull(info.group()).port())) {
            NetworkInterface loopback =
                    NetworkInterface.getByInetAddress(InetAddress.ofLiteral("127.0.0.1"));
            socket.setOption(StandardSocketOptions.IP_MULTICAST_IF, loopback);
            socket.joinGroup(requireNonNull(info.group()).toSocketAddress(), loopback);
            socket.setSoTimeout(1);
            byte[] room = new byte[2048];
            long dueNs = System.nanoTime();
            while (!over.get()) {
                DatagramPacket heard = new DatagramPacket(room, room.length);
                try {
                    socket.receive(heard);
                    MemorySegment copy =
                            MemorySegment.ofArray(Arrays.copyOf(room, heard.getLength()));
                    if (sealed) {
                        forger.record(copy);
                    } else {
                        forger.overhear(copy);
                    }
                } catch (SocketTimeoutException nothing) {
                    // forge all the same
                }
                for (; dueNs < System.nanoTime(); dueNs += 1 + random.nextLong(2 * pauseNs)) {
                    MemorySegment next = sealed ? forger.nextOfSealed() : forger.next();
                    byte[] forged = next.toArray(ValueLayout.JAVA_BYTE);
                    InetSocketAddress to =
                            random.chance(0.3)
                                    ? requireNonNull(info.group()).toSocketAddress()
                                    : info.members().get(random.nextInt(RANKS));
                    socket.send(new DatagramPacket(forged, forged.length, to));
                }
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}

package org.madcast.client.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.grack.nanojson.JsonWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.FreePort;
import org.madcast.client.GroupSource;
import org.madcast.client.JoinFailedException;
import org.madcast.client.MulticastGroup;

@Timeout(300)
final class RootRendezvousTest {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(700);

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final InetSocketAddress root =
            InetSocketAddress.createUnresolved("127.0.0.1", FreePort.tcp());

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    private CommunicatorConfig.Builder config(int rank, int size) {
        return CommunicatorConfig.builder("job", rank, size)
                .rootAddress(root)
                .madcap(CommunicatorConfig.MADCAP_OFF)
                .joinTimeout(LONG);
    }

    /** What one rank saw. */
    private record Seen(MulticastGroup group, GroupSource source, long token, List<Member> table) {}

    private static Member self(int rank) {
        return new Member(
                rank, new InetSocketAddress(InetAddress.getLoopbackAddress(), 40_000 + rank), 7, 8);
    }

    private Future<Seen> join(CommunicatorConfig config) {
        Callable<Seen> rank =
                () -> {
                    try (Rendezvous met = RendezvousSelection.introduce(config)) {
                        List<Member> table = met.meet(self(config.rank()), config.joinTimeout());
                        return new Seen(met.group(), met.groupSource(), met.token(), table);
                    }
                };
        return threads.submit(rank);
    }

    private static void assertFails(Future<Seen> rank, String... fragments) {
        assertThatThrownBy(rank::get)
                .cause()
                .isInstanceOf(JoinFailedException.class)
                .hasMessageContainingAll(fragments);
    }

    @Test
    void eightRanksMeetWhoeverComesFirst() throws Exception {
        int size = 8;
        List<Future<Seen>> ranks = new ArrayList<>();
        for (int rank = size - 1; rank >= 0; rank--) {
            ranks.add(join(config(rank, size).build()));
        }
        Seen first = ranks.getFirst().get();
        assertThat(first.table())
                .isEqualTo(IntStream.range(0, size).mapToObj(rank -> self(rank)).toList());
        assertThat(first.source()).isEqualTo(GroupSource.RANDOM);
        assertThat(first.token()).isNotZero();
        for (Future<Seen> rank : ranks) {
            assertThat(rank.get()).isEqualTo(first);
        }
    }

    /** Each of them could be a scanner, or a host that was switched off while it connected. */
    @Test
    void connectionsThatSendNothingKeepNoRankOut() throws Exception {
        try (WarningLog log = new WarningLog(RootListener.class)) {
            List<Socket> silent = new ArrayList<>();
            Future<Seen> rank0 = join(config(0, 3).build());
            for (int i = 0; i < 300; i++) {
                silent.add(connect());
            }
            // Less time than a silent connection has.
            Duration little = Duration.ofSeconds(4);
            Future<Seen> rank1 = join(config(1, 3).joinTimeout(little).build());
            Future<Seen> rank2 = join(config(2, 3).joinTimeout(little).build());
            assertThat(rank1.get()).isEqualTo(rank0.get()).isEqualTo(rank2.get());
            assertThat(log.messages)
                    .singleElement()
                    .asString()
                    .contains("many connections to rank 0 send nothing", "127.0.0.1");
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    @Test
    void anAddressThatIsNotOneHostsIsNoMembers() throws Exception {
        for (String address : List.of("224.0.0.1", "0.0.0.0", "255.255.255.255", "ff02::1", "::")) {
            JsonFields fields =
                    JsonFields.parse(
                            "{\"address\":\"%s\",\"port\":7,\"receiveBufferBytes\":1,\"datagramBytes\":1}"
                                    .formatted(address));
            assertThatThrownBy(() -> Member.read(fields, 3))
                    .isInstanceOf(IOException.class)
                    .hasMessageContainingAll("rank 3", "not the address of one host");
        }
        Future<Seen> rank0 = join(config(0, 2).joinTimeout(Duration.ofSeconds(3)).build());
        try (Socket socket = connect()) {
            FrameConnection liar = new FrameConnection(socket);
            liar.write(HelloMessage.of(config(1, 2).build(), "x").write());
            JsonFields _ = liar.read(FrameConnection.SMALL_BYTES, LONG);
            liar.write(JsonWriter.string(self(1).write()).replace("127.0.0.1", "224.0.0.1"));
            assertThatThrownBy(() -> liar.read(FrameConnection.SMALL_BYTES, LONG))
                    .isInstanceOf(IOException.class);
        }
        assertFails(rank0, "rank 1 did not come");
    }

    @Test
    void addressesArePrintedAsTheyAreConfigured() {
        assertFails(
                join(config(1, 2).joinTimeout(SHORT).build()),
                "did not reach rank 0 at 127.0.0.1:" + root.getPort() + " within");
        InetSocketAddress ipv6 = new InetSocketAddress(InetAddress.ofLiteral("fe80::1"), 8);
        assertThat(CommunicatorConfig.hostAndPort(ipv6)).isEqualTo("[fe80:0:0:0:0:0:0:1]:8");
        assertThat(config(0, 2).build().toString()).contains("root 127.0.0.1:" + root.getPort());
    }

    @Test
    void aMissingRankIsNamedOnAll() {
        Future<Seen> rank0 = join(config(0, 4).joinTimeout(Duration.ofSeconds(3)).build());
        Future<Seen> rank1 = join(config(1, 4).build());
        assertFails(rank0, "ranks 2 and 3 did not come within 3000 ms", "job 'job', size 4");
        assertFails(rank1, "ranks 2 and 3 did not come within 3000 ms");
    }

    @Test
    void aSecondProcessWithTheSameRankIsRefused() {
        Future<Seen> rank0 = join(config(0, 3).joinTimeout(Duration.ofSeconds(4)).build());
        List<Future<Seen>> twins =
                List.of(
                        join(config(1, 3).joinTimeout(Duration.ofSeconds(4)).build()),
                        join(config(1, 3).joinTimeout(Duration.ofSeconds(4)).build()));
        assertFails(rank0, "rank 2 did not come", "rank 1 is taken");
        List<String> reasons = new ArrayList<>();
        for (Future<Seen> twin : twins) {
            assertThatThrownBy(twin::get).satisfies(e -> reasons.add(e.getMessage()));
        }
        assertThat(reasons)
                .anyMatch(reason -> reason.contains("rank 1 is taken by the process at 127.0.0.1:"))
                .anyMatch(reason -> reason.contains("rank 2 did not come"));
    }

    @Test
    void anotherSizeAndAnotherJobAreRefusedWithBothValues() {
        Future<Seen> rank0 = join(config(0, 2).joinTimeout(Duration.ofSeconds(4)).build());
        assertFails(join(config(1, 3).build()), "size 2, but rank 1 with size 3");
        Future<Seen> stranger =
                join(CommunicatorConfig.builder("other", 1, 2).rootAddress(root).build());
        assertFails(stranger, "job 'job'", "job 'other'");
        assertFails(rank0, "rank 1 did not come", "size 2, but rank 1 with size 3", "'other'");
    }

    /** Rank 0 listens while a communicator is met only, so nobody finds an old one there. */
    @Test
    void whoComesAgainIsInTheNextOneWhoeverIsStillInTheOld() throws Exception {
        try (Rendezvous old = introduceZero()) {
            Future<Seen> first = join(config(1, 2).build());
            old.meet(self(0), LONG);
            assertThat(first.get().token()).isEqualTo(old.token());
            Future<Seen> again = join(config(1, 2).build());
            assertFails(join(config(1, 2).joinTimeout(SHORT).build()), "did not reach rank 0");
            assertThat(again.isDone()).isFalse();
            Future<Seen> zero = join(config(0, 2).build());
            assertThat(again.get()).isEqualTo(zero.get());
            assertThat(again.get().token()).isNotEqualTo(old.token());
        }
    }

    private Rendezvous introduceZero() {
        return RendezvousSelection.introduce(config(0, 2).build());
    }

    @Test
    void nobodyAtTheRootAddressIsSaid() {
        assertFails(
                join(config(1, 2).joinTimeout(SHORT).build()),
                "rank 1 did not reach rank 0 at",
                "MADCAST_ROOT");
    }

    @Test
    void aTakenPortIsSaid() throws Exception {
        try (ServerSocket taken =
                new ServerSocket(root.getPort(), 1, InetAddress.getLoopbackAddress())) {
            assertFails(join(config(0, 2).build()), "rank 0 cannot listen at", "free port");
            assertThat(taken.isClosed()).isFalse();
        }
    }

    @Test
    void strangersAreIgnored() throws Exception {
        Future<Seen> rank0 = join(config(0, 2).build());
        byte[][] garbage = {
            "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
            {'M', 'C', 'R', '1', 0x7f, -1, -1, -1},
            {'M', 'C', 'R', '1', -1, -1, -1, -1},
            {'M', 'C', 'R', '1', 0, 0, 0, 2, '{', '}'},
            {'M', 'C', 'R', '1', 0, 0, 0, 3, '{', '{', '['},
            {'M', 'C'}
        };
        for (byte[] bytes : garbage) {
            try (Socket stranger = connect()) {
                OutputStream out = stranger.getOutputStream();
                out.write(bytes);
                stranger.shutdownOutput();
                assertThat(stranger.getInputStream().read()).isEqualTo(-1);
            }
        }
        Future<Seen> rank1 = join(config(1, 2).build());
        assertThat(rank1.get()).isEqualTo(rank0.get());
    }

    private Socket connect() {
        while (true) {
            try {
                return new Socket(InetAddress.getLoopbackAddress(), root.getPort());
            } catch (IOException notYet) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void aConfiguredGroupIsRankZeros() throws Exception {
        MulticastGroup group = new MulticastGroup(InetAddress.ofLiteral("239.255.9.9"), 6000);
        Future<Seen> rank0 = join(config(0, 2).group(group).build());
        Future<Seen> rank1 = join(config(1, 2).build());
        assertThat(rank1.get()).isEqualTo(rank0.get());
        assertThat(rank1.get().group()).isEqualTo(group);
        assertThat(rank1.get().source()).isEqualTo(GroupSource.CONFIGURED);
    }

    @Test
    void anotherConfiguredGroupIsRefused() {
        MulticastGroup group = new MulticastGroup(InetAddress.ofLiteral("239.255.9.9"), 6000);
        Future<Seen> rank0 = join(config(0, 2).joinTimeout(Duration.ofSeconds(3)).build());
        assertFails(
                join(config(1, 2).group(group).build()),
                "configured for group 239.255.9.9:6000, but rank 0 uses");
        assertFails(rank0, "rank 1 did not come");
    }
}

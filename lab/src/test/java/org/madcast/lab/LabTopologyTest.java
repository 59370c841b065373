package org.madcast.lab;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Switches, cables and what is set up in the hosts. */
class LabTopologyTest {
    private static final InetAddress GROUP = InetAddress.ofLiteral("239.77.0.2");

    @BeforeAll
    static void needsLab() {
        LiveLab.assumeAvailable();
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 5})
    void treeOfSwitchesSnoopsAsOne(int switches) throws IOException {
        LabSpec spec = LabSpec.builder().hosts(6).switches(switches).rate("1gbit").build();
        try (Lab lab = Lab.up(spec);
                Talker talker = new Talker(lab.host(5), GROUP);
                Listener near = Listener.joined(lab, 0, GROUP);
                Listener far = Listener.joined(lab, 3, GROUP)) {
            Set<Integer> used = new TreeSet<>();
            lab.hosts().forEach(host -> used.add(host.switchNumber()));
            assertThat(used).hasSize(switches);
            HostCounters before = lab.counters(2);
            talker.say(500, 1000);
            talker.end(near, far);

            assertThat(near.heard()).isEqualTo(500);
            assertThat(far.heard()).isEqualTo(500);
            assertThat(lab.counters(2).since(before).receivedBytes()).isLessThan(20_000);
            Await.until(
                    "the switches list the joined hosts",
                    () -> Set.of(0, 3).equals(lab.groups().get(GROUP)));
        }
    }

    /** Switches in a line: a group is heard at its end, and bytes wait for the slow trunk. */
    @Test
    void aTreeOfOnesOwnHasTheRatesOfItsTrunks() throws IOException {
        Optional<LinkRate> unlimited = Optional.empty();
        LabTree line =
                new LabTree(
                        List.of(
                                new LabTree.Link(0, unlimited),
                                new LabTree.Link(1, LinkRate.parseLimit("8mbit"))),
                        List.of(new LabTree.Link(0, unlimited), new LabTree.Link(2, unlimited)));
        try (Lab lab = Lab.up(LabSpec.builder().tree(line).build());
                Talker talker = new Talker(lab.host(0), GROUP);
                Listener far = Listener.joined(lab, 1, GROUP)) {
            assertThat(lab.host(1).switchNumber()).isEqualTo(2);
            talker.say(50, 1000);
            talker.end(far);
            assertThat(far.heard()).isEqualTo(50);

            long startNs = System.nanoTime();
            assertThat(packetsFor(lab, 800_000)).isPositive();
            assertThat(System.nanoTime() - startNs).isGreaterThan(600_000_000L);
        }
    }

    @Test
    void framesAreSplitUnlessSuperframesAreWanted() throws IOException {
        int bytes = 4 << 20;
        LabSpec.Builder spec = LabSpec.builder().hosts(2);
        try (Lab lab = Lab.up(spec.superframes(false).build())) {
            assertThat(packetsFor(lab, bytes)).isGreaterThan(bytes / 1500);
        }
        try (Lab lab = Lab.up(spec.superframes(true).build())) {
            assertThat(packetsFor(lab, bytes)).isLessThan(bytes / 1500 / 2);
        }
    }

    /** Else what a lab measures would depend on the machine's settings. */
    @Test
    void hostsHaveTheKernelsOwnCongestionControl() throws IOException {
        try (Lab lab = Lab.up(LabSpec.ofHosts(2))) {
            String control =
                    lab.host(1)
                            .call(() ->
                                    Files.readString(
                                            Path.of("/proc/sys/net/ipv4/tcp_congestion_control")));
            assertThat(control.strip()).isEqualTo("cubic");
        }
    }

    @Test
    void framesAreAsLongAsTheMtuSays() throws IOException {
        try (Lab lab = Lab.up(LabSpec.builder().mtuBytes(9000).build())) {
            long packets = packetsFor(lab, 4 << 20);
            assertThat(packets).isBetween((4L << 20) / 9000, (4L << 20) / 6000);
        }
    }

    @Test
    void processRunsInsideUnderItsOwnId() throws Exception {
        Lab lab = Lab.up(LabSpec.ofHosts(2));
        try {
            ProcessBuilder builder = new ProcessBuilder("ip", "-4", "-o", "addr", "show", "eth0");
            Process shown = lab.host(1).start(builder);
            String output = new String(shown.getInputStream().readAllBytes(), UTF_8);
            assertThat(output).contains(lab.host(1).address().getHostAddress() + "/24 brd 10.77.");
            assertThat(builder.command()).startsWith("ip");

            Process sleeping = lab.host(0).start(new ProcessBuilder("sleep", "1000"));
            Await.until(
                    "the process is inside",
                    () -> lab.processes().equals(List.of(sleeping.toHandle())));
            lab.close();
            assertThat(sleeping.waitFor()).isNotZero();
        } finally {
            lab.close();
        }
    }

    /** Sends so many bytes by TCP from host 0 to host 1 and counts the packets of host 0. */
    private static long packetsFor(Lab lab, int bytes) throws IOException {
        InetSocketAddress address = new InetSocketAddress(lab.host(1).address(), 7077);
        HostCounters before = lab.counters(0);
        try (ServerSocketChannel server =
                        lab.host(1).call(() -> ServerSocketChannel.open().bind(address));
                SocketChannel client = lab.host(0).call(() -> SocketChannel.open(address));
                SocketChannel accepted = server.accept()) {
            Thread writer = Thread.ofPlatform().start(() -> writeAll(client, bytes));
            ByteBuffer chunk = ByteBuffer.allocate(1 << 16);
            int read = 0;
            while (read < bytes) {
                read += accepted.read(chunk.clear());
            }
            Await.until("the writer is through", () -> !writer.isAlive());
        }
        return lab.counters(0).since(before).sentPackets();
    }

    private static void writeAll(SocketChannel client, int bytes) {
        ByteBuffer all = ByteBuffer.allocate(bytes);
        try {
            while (all.hasRemaining()) {
                client.write(all);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

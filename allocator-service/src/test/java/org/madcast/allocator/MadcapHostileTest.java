package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.madcast.madcap.LeaseId;
import org.madcast.madcap.Message;
import org.madcast.madcap.MessageType;
import org.madcast.madcap.NetAddress;
import org.madcast.madcap.Option;
import org.madcast.madcap.codec.MadcapEncoder;

/** The MADCAP server under clients that mean harm, or know no better. */
class MadcapHostileTest {

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration AT_ONCE = Duration.ofMillis(1);
    private static final String FATES = "madcast.madcap.datagrams";

    @Test
    void mangledDatagramsHarmNobody() throws Exception {
        int port = freePort();
        try (RunningService service =
                        RunningService.madcap(
                                port,
                                "--madcast.madcap.quota.requests-per-second=1000000",
                                "--madcast.madcap.quota.burst=1000000");
                MadcapClient client = ready(port)) {
            Random random = new Random(2730);
            for (int i = 0; i < 5_000; i++) {
                LeaseId id = MadcapClient.newLeaseId();
                byte[] good = MadcapEncoder.encode(request(id, "239.250.0.0"));
                client.send(mangled(good, random), "127.0.0.1", Duration.ZERO);
            }
            assertThat(
                            client.send(
                                    request(MadcapClient.newLeaseId(), "239.255.0.0"),
                                    "127.0.0.1",
                                    LONG))
                    .isNotNull();
            assertThat(service.metric(FATES, "fate", "dropped")).isPositive();
            assertThat(service.metric(FATES, "fate", "refused")).isPositive();
        }
    }

    @Test
    void whoFloodsIsNotHeardForAWhileAndThenAgain() throws Exception {
        int port = freePort();
        try (RunningService service =
                        RunningService.madcap(
                                port,
                                "--madcast.madcap.quota.requests-per-second=20",
                                "--madcast.madcap.quota.burst=40");
                MadcapClient client = ready(port)) {
            AtomicInteger answered = new AtomicInteger();
            for (int i = 0; i < 400; i++) {
                if (client.send(getInfo(), "127.0.0.1", AT_ONCE) != null) {
                    answered.incrementAndGet();
                }
            }
            assertThat(service.metric(FATES, "fate", "too-many")).isGreaterThan(100);
            assertThat(answered).hasValueLessThan(300);
            await().atMost(LONG)
                    .until(() ->
                            client.send(getInfo(), "127.0.0.1", Duration.ofMillis(300)) != null);
        }
    }

    @Test
    void networksThatAreNotListedGetNoAnswer() throws Exception {
        int port = freePort();
        // Listens on 127.0.0.1, but hears nobody from there.
        try (RunningService service =
                        RunningService.madcap(port, "--madcast.madcap.networks=127.0.0.1/32");
                MadcapClient client = ready(port);
                DatagramSocket stranger =
                        new DatagramSocket(
                                new InetSocketAddress(InetAddress.ofLiteral("127.0.0.77"), 0))) {
            byte[] bytes = MadcapEncoder.encode(getInfo());
            stranger.send(
                    new DatagramPacket(
                            bytes, bytes.length, InetAddress.ofLiteral("127.0.0.1"), port));
            await().atMost(LONG).until(() -> service.metric(FATES, "fate", "foreign-network") == 1);
            assertThat(client.send(getInfo(), "127.0.0.1", LONG)).isNotNull();
        }
    }

    private static MadcapClient ready(int port) {
        MadcapClient client = new MadcapClient(port);
        await().atMost(LONG)
                .until(() -> client.send(getInfo(), "127.0.0.1", Duration.ofMillis(300)) != null);
        return client;
    }

    /** Some bytes changed, cut off or added; what is left of the request is for no served scope. */
    private static byte[] mangled(byte[] good, Random random) {
        byte[] bad = Arrays.copyOf(good, Math.max(0, good.length + random.nextInt(-20, 10)));
        int flips = random.nextInt(1, 6);
        for (int i = 0; i < flips && bad.length > 0; i++) {
            bad[random.nextInt(bad.length)] = (byte) random.nextInt();
        }
        return bad;
    }

    private static Message request(LeaseId id, String scope) {
        return MadcapClient.message(
                MessageType.REQUEST, id, new Option.MulticastScope(NetAddress.parse(scope)));
    }

    private static Message getInfo() {
        return MadcapClient.message(
                MessageType.GETINFO,
                MadcapClient.newLeaseId(),
                Option.OptionRequestList.of(Option.Kind.MULTICAST_SCOPE_LIST));
    }

    private static int freePort() throws SocketException {
        try (DatagramSocket socket = new DatagramSocket()) {
            return socket.getLocalPort();
        }
    }
}

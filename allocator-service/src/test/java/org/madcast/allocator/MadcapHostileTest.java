package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.madcast.allocator.lease.Secrets;
import org.madcast.madcap.AddressFamily;
import org.madcast.madcap.LeaseId;
import org.madcast.madcap.Message;
import org.madcast.madcap.MessageType;
import org.madcast.madcap.NetAddress;
import org.madcast.madcap.Option;
import org.madcast.madcap.codec.MadcapEncoder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The MADCAP server under clients that mean harm, or know no better. */
class MadcapHostileTest {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration AT_ONCE = Duration.ofMillis(1);
    private static final String FATES = "madcast.madcap.datagrams";

    @Test
    void mangledDatagramsHarmNobody() throws Exception {
        int port = FreePort.udp();
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

    /** Who knows the identifiers of leases, or guesses them, and makes packets that look right. */
    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void packetsAboutLivingLeasesHarmNoneOfAnotherFamily(CapturedOutput log) throws Exception {
        RunningService near = RunningService.shared();
        near.addScope("fuzzed-six", "ff14::8000:0/97", 0, "fuzzed-six", false);
        int port = FreePort.udp();
        try (RunningService service =
                        RunningService.madcap(
                                port,
                                "--madcast.madcap.networks=127.0.0.0/8,::1/128",
                                "--madcast.madcap.scopes=default,fuzzed-six",
                                "--madcast.madcap.quota.requests-per-second=1000000",
                                "--madcast.madcap.quota.burst=1000000");
                MadcapClient client = ready(port);
                DatagramSocket six =
                        new DatagramSocket(
                                new InetSocketAddress(InetAddress.ofLiteral("::1"), 0))) {
            LeaseId ours4 = lease(client, AddressFamily.IPV4, "239.192.0.0");
            LeaseId ours6 = lease(client, AddressFamily.IPV6, "ff14::8000:0");
            LeaseId theirs4 = lease(client, AddressFamily.IPV4, "239.192.0.0");
            LeaseId theirs6 = lease(client, AddressFamily.IPV6, "ff14::8000:0");
            String before = whole(service, ours4) + whole(service, ours6);
            Random random = new Random(2730);
            MadcapPackets packets =
                    new MadcapPackets(random, InetAddress.ofLiteral("ff14::8000:0").getAddress());
            for (int i = 0; i < 1_500; i++) {
                byte[] packet =
                        switch (i % 4) {
                            case 0 -> packets.ofAnotherFamily(ours4, 1);
                            case 1 -> packets.ofAnotherFamily(ours6, 2);
                            case 2 -> packets.any(random.nextBoolean() ? theirs4 : theirs6);
                            default -> packets.any(MadcapClient.newLeaseId());
                        };
                if (random.nextBoolean()) {
                    client.send(packet, "127.0.0.1", Duration.ZERO);
                } else {
                    InetAddress to = InetAddress.ofLiteral("::1");
                    six.send(new DatagramPacket(packet, packet.length, to, port));
                }
                if (i % 100 == 0) {
                    assertThat(client.send(getInfo(), "127.0.0.1", LONG)).isNotNull();
                }
            }
            await().atMost(LONG).until(() -> client.send(getInfo(), "127.0.0.1", LONG) != null);
            assertThat(whole(service, ours4) + whole(service, ours6)).isEqualTo(before);
        }
        assertThat(log.getAll()).doesNotContain("not served", "\tat ");
    }

    private static LeaseId lease(MadcapClient client, AddressFamily family, String scope) {
        LeaseId id = MadcapClient.newLeaseId();
        Message request =
                Message.of(
                        MessageType.REQUEST,
                        family,
                        id.hashCode(),
                        id,
                        new Option.MulticastScope(NetAddress.parse(scope)));
        Message answer = Objects.requireNonNull(client.send(request, "127.0.0.1", LONG));
        assertThat(answer.type()).isEqualTo(MessageType.ACK);
        return id;
    }

    /** Every row that there is of a lease, as text. */
    private static String whole(RunningService service, LeaseId id) {
        return service.jdbc()
                .sql(
                        """
                        select m::text || l::text || g::text from madcap_lease m
                        join lease l on l.id = m.lease_id join lease_group g on g.lease_id = l.id
                        where m.identifier_hash = ?
                        """)
                .param(Secrets.hash("madcap lease identifier " + id.octets()))
                .query(String.class)
                .single();
    }

    @Test
    void whoFloodsIsNotHeardForAWhileAndThenAgain() throws Exception {
        int port = FreePort.udp();
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
        int port = FreePort.udp();
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
}

package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.madcast.madcap.AddressFamily;
import org.madcast.madcap.LeaseId;
import org.madcast.madcap.Message;
import org.madcast.madcap.MessageType;
import org.madcast.madcap.NetAddress;
import org.madcast.madcap.Option;
import org.madcast.madcap.codec.DecodeResult;
import org.madcast.madcap.codec.MadcapDecoder;
import org.madcast.madcap.codec.MadcapEncoder;

/**
 * MADCAP on addresses that come and go, among them one that means something on its link only. They
 * are addresses of the loopback interface, which nobody else looks at; adding them needs root.
 */
class MadcapAddressesTest {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String LATER = "198.18.77.1";
    private static final String LINK_LOCAL = "fe80::77:1";
    private static final NetAddress SCOPE = NetAddress.parse("ff14::8000:0");
    private static final int MOST_OF_CLIENT = 3;
    private static final int OFTEN = 30;

    private static int port;
    private static @Nullable RunningService service;

    @BeforeAll
    static void start() throws IOException {
        assumeTrue("root".equals(System.getProperty("user.name")), "adding addresses needs root");
        assumeTrue(Files.isExecutable(Path.of("/usr/sbin/ip")), "no ip");
        RunningService.shared()
                .addScope("madcap-links", "ff14::8000:0/97", 0, "madcap-links", false);
        port = FreePort.udp();
        service =
                RunningService.madcap(
                        port,
                        "--madcast.madcap.networks=127.0.0.0/8,198.18.77.0/24,::1/128,fe80::/64",
                        "--madcast.madcap.scopes=local,madcap-links",
                        "--madcast.madcap.quota.addresses-per-client=" + MOST_OF_CLIENT,
                        "--madcast.madcap.refresh-interval=300ms");
        await().atMost(LONG).until(() -> isServed("127.0.0.1"));
    }

    @AfterAll
    static void stop() {
        if (service != null) {
            service.close();
        }
    }

    @Test
    void anAddressThatComesLaterIsServedAndOneThatGoesIsNotMissed() throws Exception {
        assertThat(isServed("127.0.0.1")).isTrue();
        assertThat(ip("addr", "add", LATER + "/32", "dev", "lo")).isTrue();
        try {
            await().atMost(LONG).until(() -> isServed(LATER));
            assertThat(isServed("127.0.0.1")).isTrue();
        } finally {
            ip("addr", "del", LATER + "/32", "dev", "lo");
        }
        await().atMost(LONG).until(() -> isServed("127.0.0.1"));
        await().during(Duration.ofSeconds(1)).atMost(LONG).until(() -> isServed("127.0.0.1"));
    }

    /** The database knows no zones of addresses (RFC 4007), and counts an address's leases. */
    @Test
    void aClientMayHaveAnAddressOfItsLink() throws Exception {
        assumeTrue(
                ip("-6", "addr", "add", LINK_LOCAL + "/64", "dev", "lo", "nodad"), "no IPv6 here");
        try {
            InetAddress own = InetAddress.ofLiteral(LINK_LOCAL + "%lo");
            LeaseId id = MadcapClient.newLeaseId();
            await().atMost(LONG).until(() -> ask(own, getInfo(AddressFamily.IPV6), 1) != null);
            Message ack = asked(own, MessageType.REQUEST, id, new Option.MulticastScope(SCOPE));
            assertThat(ack.type()).isEqualTo(MessageType.ACK);
            assertThat(asked(own, MessageType.RENEW, id, new Option.LeaseTime(900)).type())
                    .isEqualTo(MessageType.ACK);
            assertThat(asked(own, MessageType.RELEASE, id).type()).isEqualTo(MessageType.ACK);
            for (int i = 0; i < MOST_OF_CLIENT; i++) {
                assertThat(request(own).type()).isEqualTo(MessageType.ACK);
            }
            assertThat(request(own).type()).isEqualTo(MessageType.NAK);
        } finally {
            ip("-6", "addr", "del", LINK_LOCAL + "/64", "dev", "lo");
        }
    }

    private static Message request(InetAddress own) {
        return asked(
                own,
                MessageType.REQUEST,
                MadcapClient.newLeaseId(),
                new Option.MulticastScope(SCOPE));
    }

    private static Message asked(InetAddress own, MessageType type, LeaseId id, Option... options) {
        return Objects.requireNonNull(
                ask(own, Message.of(type, AddressFamily.IPV6, id.hashCode(), id, options), OFTEN),
                "no answer to " + type);
    }

    private static boolean isServed(String address) {
        InetAddress own = InetAddress.ofLiteral(address);
        Message answer = ask(own, getInfo(AddressFamily.IPV4), 1);
        return answer != null && NetAddress.parse(address).equals(answer.serverId());
    }

    private static Message getInfo(AddressFamily family) {
        LeaseId id = MadcapClient.newLeaseId();
        return Message.of(
                MessageType.GETINFO,
                family,
                id.hashCode(),
                id,
                new Option.OptionRequestList(List.of(Option.Kind.MULTICAST_SCOPE_LIST.code())));
    }

    /**
     * The answer of the server at an own address, asked from there up to so many times, a second
     * apart; null without one.
     */
    private static @Nullable Message ask(InetAddress own, Message message, int times) {
        byte[] bytes = MadcapEncoder.encode(message);
        try (DatagramSocket socket = new DatagramSocket(0, own)) {
            socket.setSoTimeout(1000);
            for (int i = 0; i < times; i++) {
                socket.send(new DatagramPacket(bytes, bytes.length, own, port));
                Message answer = receive(socket);
                if (answer != null) {
                    return answer;
                }
            }
            return null;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static @Nullable Message receive(DatagramSocket socket) throws IOException {
        DatagramPacket in = new DatagramPacket(new byte[2048], 2048);
        try {
            socket.receive(in);
        } catch (SocketTimeoutException silence) {
            return null;
        }
        byte[] answer = Arrays.copyOf(in.getData(), in.getLength());
        return MadcapDecoder.decode(answer) instanceof DecodeResult.Decoded(Message decoded)
                ? decoded
                : null;
    }

    private static boolean ip(String... arguments) throws IOException, InterruptedException {
        List<String> command = new java.util.ArrayList<>(List.of("/usr/sbin/ip"));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).inheritIO().start().waitFor() == 0;
    }
}

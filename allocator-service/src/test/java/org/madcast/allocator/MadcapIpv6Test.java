package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
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

/** MADCAP over IPv6, for IPv6 addresses, from the table that REST leases from too. */
class MadcapIpv6Test {

    private static final InetAddress SERVER = InetAddress.ofLiteral("::1");
    private static final NetAddress SCOPE = NetAddress.parse("ff13::8000:0");

    private static int port;
    private static RunningService service;

    @BeforeAll
    static void start() throws IOException {
        RunningService.shared().addScope("madcap-six", "ff13::8000:0/97", 0, "madcap-six", false);
        port = FreePort.udp();
        service =
                RunningService.madcap(
                        port,
                        "--madcast.madcap.networks=::1/128",
                        "--madcast.madcap.scopes=madcap-six");
        await().atMost(Duration.ofSeconds(60))
                .until(() -> ask(MessageType.GETINFO, id(), scopeList()) != null);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void tellsItsScopes() {
        Message answer = Objects.requireNonNull(ask(MessageType.GETINFO, id(), scopeList()));
        Option.MulticastScopeList list =
                Objects.requireNonNull(answer.find(Option.MulticastScopeList.class));
        assertThat(list.zones()).hasSize(1);
        assertThat(list.zones().getFirst().first()).isEqualTo(SCOPE);
        assertThat(answer.serverId()).isEqualTo(NetAddress.of(SERVER));
    }

    @Test
    void leasesRenewsAndReleases() {
        LeaseId id = id();
        Message ack =
                Objects.requireNonNull(
                        ask(
                                MessageType.REQUEST,
                                id,
                                new Option.MulticastScope(SCOPE),
                                new Option.LeaseTime(600)));
        assertThat(ack.type()).isEqualTo(MessageType.ACK);
        NetAddress leased =
                Objects.requireNonNull(ack.find(Option.AddressRangeList.class))
                        .ranges()
                        .getFirst()
                        .first();
        assertThat(leased).isBetween(SCOPE, NetAddress.parse("ff13::feff:ffff"));
        Rest rest = RunningService.shared().rest();
        assertThat(rest.get("/v1/history?address=" + leased).text()).contains("madcap");

        Message renewed =
                Objects.requireNonNull(ask(MessageType.RENEW, id, new Option.LeaseTime(1200)));
        assertThat(renewed.find(Option.AddressRangeList.class))
                .isEqualTo(ack.find(Option.AddressRangeList.class));
        assertThat(Objects.requireNonNull(ask(MessageType.RELEASE, id)).type())
                .isEqualTo(MessageType.ACK);
        assertThat(Objects.requireNonNull(ask(MessageType.RELEASE, id)).type())
                .isEqualTo(MessageType.NAK);
    }

    @Test
    void aRequestOfAnotherFamilyThanItsLeasesChangesNothing() {
        LeaseId id = id();
        Option scope = new Option.MulticastScope(SCOPE);
        Message ack =
                Objects.requireNonNull(
                        ask(MessageType.REQUEST, id, scope, new Option.LeaseTime(600)));
        NetAddress leased =
                Objects.requireNonNull(ack.find(Option.AddressRangeList.class))
                        .ranges()
                        .getFirst()
                        .first();
        Rest rest = RunningService.shared().rest();
        String before = rest.get("/v1/history?address=" + leased).text();
        int exchange = id.hashCode();
        for (MessageType type : List.of(MessageType.RENEW, MessageType.RELEASE)) {
            Message wrong = Message.of(type, AddressFamily.IPV4, exchange++, id);
            assertThat(Objects.requireNonNull(ask(wrong)).type())
                    .as("%s", type)
                    .isEqualTo(MessageType.NAK);
        }
        Message getInfo =
                Message.of(MessageType.GETINFO, AddressFamily.IPV4, exchange, id, scopeList());
        assertThat(Objects.requireNonNull(ask(getInfo)).type()).isEqualTo(MessageType.NAK);
        assertThat(rest.get("/v1/history?address=" + leased).text()).isEqualTo(before);
        assertThat(Objects.requireNonNull(ask(MessageType.RELEASE, id)).type())
                .isEqualTo(MessageType.ACK);
    }

    private static Option scopeList() {
        return new Option.OptionRequestList(List.of(Option.Kind.MULTICAST_SCOPE_LIST.code()));
    }

    private static LeaseId id() {
        return MadcapClient.newLeaseId();
    }

    /** The answer, null when there is none within a second. */
    private static @Nullable Message ask(MessageType type, LeaseId id, Option... options) {
        return ask(Message.of(type, AddressFamily.IPV6, id.hashCode(), id, options));
    }

    private static @Nullable Message ask(Message message) {
        byte[] bytes = MadcapEncoder.encode(message);
        try (DatagramSocket socket = new DatagramSocket(0, SERVER)) {
            socket.setSoTimeout(1000);
            socket.send(new DatagramPacket(bytes, bytes.length, SERVER, port));
            DatagramPacket in = new DatagramPacket(new byte[2048], 2048);
            socket.receive(in);
            byte[] answer = Arrays.copyOf(in.getData(), in.getLength());
            return MadcapDecoder.decode(answer) instanceof DecodeResult.Decoded(Message decoded)
                    ? decoded
                    : null;
        } catch (SocketTimeoutException silence) {
            return null;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}

package org.madcast.client.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.FreePort;
import org.madcast.client.GroupSource;
import org.madcast.madcap.MadcapError;
import org.madcast.madcap.Message;
import org.madcast.madcap.MessageType;
import org.madcast.madcap.Option;

/** Rank 0 leases by MADCAP for all ranks that meet at it, when there is no REST service. */
@Timeout(180)
class MadcapIntroductionTest {

    private final InetSocketAddress root =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePort.tcp());

    private CommunicatorConfig.Builder rank(int rank, int size, String madcap) {
        return CommunicatorConfig.builder("job", rank, size).rootAddress(root).madcap(madcap);
    }

    @Test
    void allRanksUseWhatRankZeroLeasedAndClosingReleasesIt() throws Exception {
        try (MiniMadcapServer server = MiniMadcapServer.unicast(MiniMadcapServer.willing());
                ExecutorService threads = Executors.newCachedThreadPool()) {
            Future<Rendezvous> other =
                    threads.submit(() ->
                            RendezvousSelection.introduce(
                                    rank(1, 2, server.unicastName()).build()));
            Rendezvous zero =
                    RendezvousSelection.introduce(rank(0, 2, server.unicastName()).build());
            try (Rendezvous one = other.get(30, TimeUnit.SECONDS)) {
                for (Rendezvous each : List.of(zero, one)) {
                    assertThat(each.groupSource()).isEqualTo(GroupSource.MADCAP);
                    assertThat(each.group().address().getHostAddress())
                            .isEqualTo(MiniMadcapServer.ADDRESS.toString());
                    assertThat(each.group().port())
                            .isEqualTo(zero.group().port())
                            .isBetween(RandomGroups.MIN_PORT, RandomGroups.MAX_PORT);
                    assertThat(each.scope()).contains("239.255.0.0", "127.0.0.1");
                    assertThat(each.leaseLost()).isFalse();
                }
                assertThat(zero.leaseId()).isNotNull();
                assertThat(zero.leaseExpiresAt()).isNotNull();
            }
            zero.close();
            assertThat(server.types()).containsExactly(MessageType.REQUEST, MessageType.RELEASE);
        }
    }

    @Test
    void theServersOfTheNetworkAreDiscovered() throws Exception {
        try (MiniMadcapServer server = MiniMadcapServer.inGroup(MiniMadcapServer.willing())) {
            try (Rendezvous zero =
                    RendezvousSelection.introduce(rank(0, 2, server.groupName()).build())) {
                assertThat(zero.groupSource()).isEqualTo(GroupSource.MADCAP);
            }
            assertThat(server.types())
                    .containsExactly(
                            MessageType.DISCOVER, MessageType.REQUEST, MessageType.RELEASE);
        }
    }

    @Test
    void aSilentServerAndASilentServiceDelayTheStartByTwoSecondsAtMost() throws Exception {
        Duration most = RendezvousSelection.MOST_DELAY.plusMillis(1500);
        try (MiniMadcapServer silent = MiniMadcapServer.unicast((_, _) -> null);
                ServerSocket mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            URI service = URI.create("http://127.0.0.1:" + mute.getLocalPort());
            Duration least = Duration.ofDays(1);
            // A busy machine may need longer, but not each time.
            for (int i = 0; i < 5 && least.compareTo(most) >= 0; i++) {
                long startNs = System.nanoTime();
                try (Rendezvous zero =
                        RendezvousSelection.introduce(
                                rank(0, 2, silent.unicastName()).serviceUri(service).build())) {
                    Duration took = Duration.ofNanos(System.nanoTime() - startNs);
                    assertThat(zero.groupSource()).isEqualTo(GroupSource.RANDOM);
                    least = Collections.min(List.of(least, took));
                }
            }
            assertThat(least).isLessThan(most);
        }
    }

    @Test
    void aSilentServerIsAskedAgainAndThenTheGroupIsDrawn() throws Exception {
        try (MiniMadcapServer silent = MiniMadcapServer.unicast((_, _) -> null);
                Rendezvous zero =
                        RendezvousSelection.introduce(rank(0, 2, silent.unicastName()).build())) {
            assertThat(zero.groupSource()).isEqualTo(GroupSource.RANDOM);
            assertThat(silent.types()).startsWith(MessageType.REQUEST, MessageType.REQUEST);
        }
    }

    @Test
    void aRefusalIsFollowedByARandomGroupAtOnce() throws Exception {
        MiniMadcapServer[] self = new MiniMadcapServer[1];
        try (MiniMadcapServer refusing =
                MiniMadcapServer.unicast((request, _) ->
                        self[0].nak(request, new MadcapError.CouldNotBeCompleted(0xffff)))) {
            self[0] = refusing;
            try (Rendezvous zero =
                    RendezvousSelection.introduce(rank(0, 2, refusing.unicastName()).build())) {
                assertThat(zero.groupSource()).isEqualTo(GroupSource.RANDOM);
            }
            assertThat(refusing.types()).containsExactly(MessageType.REQUEST);
        }
    }

    @Test
    void whatAnOfferHoldsIsReleasedWhenTheGrantComesTooLate() throws Exception {
        try (MiniMadcapServer slow =
                MiniMadcapServer.inGroup(
                        MiniMadcapServer.changing(MessageType.REQUEST, _ -> null))) {
            try (Rendezvous zero =
                    RendezvousSelection.introduce(rank(0, 2, slow.groupName()).build())) {
                assertThat(zero.groupSource()).isEqualTo(GroupSource.RANDOM);
            }
            Message last = slow.requests.poll(5, TimeUnit.SECONDS);
            while (last != null && !last.type().equals(MessageType.RELEASE)) {
                last = slow.requests.poll(5, TimeUnit.SECONDS);
            }
            assertThat(last).isNotNull();
        }
    }

    @Test
    void theLeaseIsRenewedAndItsLossIsSeen() throws Exception {
        MiniMadcapServer[] self = new MiniMadcapServer[1];
        MiniMadcapServer.Answering shortThenGone =
                (request, proposed) -> {
                    if (request.type() == MessageType.REQUEST) {
                        return proposed.with(new Option.LeaseTime(1));
                    }
                    boolean second =
                            self[0].types().stream().filter(MessageType.RENEW::equals).count() > 1;
                    return request.type() == MessageType.RENEW && second
                            ? self[0].nak(request, new MadcapError.LeaseNotRecognized())
                            : proposed.with(new Option.LeaseTime(1));
                };
        try (MiniMadcapServer server = MiniMadcapServer.unicast(shortThenGone)) {
            self[0] = server;
            try (Rendezvous zero =
                    RendezvousSelection.introduce(rank(0, 2, server.unicastName()).build())) {
                assertThat(zero.groupSource()).isEqualTo(GroupSource.MADCAP);
                long endNs = System.nanoTime() + Duration.ofSeconds(60).toNanos();
                while (!zero.leaseLost() && System.nanoTime() - endNs < 0) {
                    Thread.onSpinWait();
                }
                assertThat(zero.leaseLost()).isTrue();
                assertThat(server.types().stream().filter(MessageType.RENEW::equals)).hasSize(2);
            }
        }
    }

    @Test
    void aServerThatIsGoneWhenTheLeaseIsReleasedIsNamedInPlainWords() throws Exception {
        MiniMadcapServer.Answering mute = MiniMadcapServer.changing(MessageType.RELEASE, _ -> null);
        try (MiniMadcapServer server = MiniMadcapServer.unicast(mute);
                WarningLog log = new WarningLog(LeaseThread.class)) {
            RendezvousSelection.introduce(rank(0, 2, server.unicastName()).build()).close();
            assertThat(log.messages.poll(30, TimeUnit.SECONDS))
                    .startsWith("lease madcap:127.0.0.1:")
                    .contains("could not be released (its server does not answer)");
        }
    }

    @Test
    void offMeansOff() throws Exception {
        try (Rendezvous zero =
                RendezvousSelection.introduce(rank(0, 2, CommunicatorConfig.MADCAP_OFF).build())) {
            assertThat(zero.groupSource()).isEqualTo(GroupSource.RANDOM);
            assertThat(zero.scope()).isNull();
        }
    }
}

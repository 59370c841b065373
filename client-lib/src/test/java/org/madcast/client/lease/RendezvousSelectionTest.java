package org.madcast.client.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.client.Communicator;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.FreePort;
import org.madcast.client.GroupSource;
import org.madcast.client.JoinFailedException;
import org.madcast.client.MulticastGroup;

@Timeout(300)
final class RendezvousSelectionTest {

    private static final MulticastGroup FIXED =
            new MulticastGroup(InetAddress.ofLiteral("239.255.9.9"), 6000);

    private static URI deadService() {
        return URI.create("http://127.0.0.1:" + FreePort.tcp());
    }

    @Test
    void withoutAnythingItSaysWhatToSet() throws Exception {
        assertThatThrownBy(() ->
                        RendezvousSelection.introduce(
                                CommunicatorConfig.builder("job", 0, 2).build()))
                .isInstanceOf(JoinFailedException.class)
                .hasMessageContainingAll("no service", "MADCAST_SERVICE", "MADCAST_ROOT");
        URI dead = deadService();
        CommunicatorConfig needsIt =
                CommunicatorConfig.builder("job", 0, 2)
                        .serviceUri(dead)
                        .joinTimeout(Duration.ofMillis(700))
                        .build();
        assertThatThrownBy(() -> RendezvousSelection.introduce(needsIt))
                .isInstanceOf(JoinFailedException.class)
                .hasMessageContainingAll(dead + " does not answer", "MADCAST_ROOT");
    }

    @Test
    void aSingleRankNeedsNobody() {
        CommunicatorConfig.Builder alone = CommunicatorConfig.builder("job", 0, 1);
        Member self =
                new Member(0, new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), 1, 1);
        try (Rendezvous rendezvous = RendezvousSelection.introduce(alone.build())) {
            assertThat(rendezvous.groupSource()).isEqualTo(GroupSource.RANDOM);
            assertThat(rendezvous.meet(self, Duration.ofSeconds(1))).containsExactly(self);
            assertThat(rendezvous.leaseId()).isNull();
        }
        try (Rendezvous rendezvous = RendezvousSelection.introduce(alone.group(FIXED).build())) {
            assertThat(rendezvous.groupSource()).isEqualTo(GroupSource.CONFIGURED);
            assertThat(rendezvous.group()).isEqualTo(FIXED);
        }
    }

    @Test
    void aDeadServiceIsFollowedByRankZero() throws Exception {
        try (WarningLog log = new WarningLog(RendezvousSelection.class);
                Rendezvous rendezvous =
                        RendezvousSelection.introduce(
                                CommunicatorConfig.builder("job", 0, 2)
                                        .madcap(CommunicatorConfig.MADCAP_OFF)
                                        .serviceUri(deadService())
                                        .rootAddress(
                                                new InetSocketAddress(
                                                        InetAddress.getLoopbackAddress(),
                                                        FreePort.tcp()))
                                        .build())) {
            assertThat(rendezvous.groupSource()).isEqualTo(GroupSource.RANDOM);
            assertThat(log.messages).singleElement().asString().endsWith("going on without it");
        }
    }

    @Test
    void aServiceThatDiesWhileTheRanksMeetIsFollowedByRankZero() throws Exception {
        InetSocketAddress root =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePort.tcp());
        ContractService service = new ContractService();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<GroupSource>> ranks = new ArrayList<>();
            for (int rank = 0; rank < 2; rank++) {
                CommunicatorConfig config = ofTwo(rank, service, root).build();
                ranks.add(threads.submit(() -> sourceOf(config)));
                while (rank == 0
                        && !String.valueOf(service.seen.poll(60, TimeUnit.SECONDS))
                                .startsWith("GET /v1/communicators/")) {
                    // rank 0 is still on its way to the meeting
                }
                service.close();
            }
            for (Future<GroupSource> rank : ranks) {
                assertThat(rank.get()).isEqualTo(GroupSource.RANDOM);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void theRankThatTheServiceDoesNotAnswerMeetsTheOther(int unanswered) throws Exception {
        InetSocketAddress root =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePort.tcp());
        try (ContractService service = new ContractService();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            service.unanswered.set(1);
            List<Future<GroupSource>> ranks = new ArrayList<>();
            for (int rank : List.of(unanswered, 1 - unanswered)) {
                CommunicatorConfig config =
                        ofTwo(rank, service, root).joinTimeout(Duration.ofMinutes(4)).build();
                ranks.add(threads.submit(() -> sourceOf(config)));
                assertThat(service.seen.poll(60, TimeUnit.SECONDS)).isNotNull();
            }
            GroupSource source = unanswered == 0 ? GroupSource.RANDOM : GroupSource.LEASED;
            for (Future<GroupSource> rank : ranks) {
                assertThat(rank.get(2, TimeUnit.MINUTES)).isEqualTo(source);
            }
        }
    }

    private static CommunicatorConfig.Builder ofTwo(
            int rank, ContractService service, InetSocketAddress root) {
        return CommunicatorConfig.builder("job", rank, 2)
                .madcap(CommunicatorConfig.MADCAP_OFF)
                .serviceUri(service.uri())
                .rootAddress(root)
                .networkInterface("lo");
    }

    private static GroupSource sourceOf(CommunicatorConfig config) {
        try (Communicator communicator = Communicator.join(config)) {
            communicator.barrier();
            return communicator.info().groupSource();
        }
    }

    @Test
    void aConfiguredGroupStaysWithTheServicesRendezvous() throws Exception {
        try (ContractService service = new ContractService();
                Rendezvous rendezvous =
                        RendezvousSelection.introduce(
                                CommunicatorConfig.builder("job", 0, 1)
                                        .serviceUri(service.uri())
                                        .group(FIXED)
                                        .build())) {
            assertThat(rendezvous.groupSource()).isEqualTo(GroupSource.CONFIGURED);
            assertThat(rendezvous.group()).isEqualTo(FIXED);
            assertThat(rendezvous.token()).isEqualTo(0xfedcba9876543210L);
        }
    }
}

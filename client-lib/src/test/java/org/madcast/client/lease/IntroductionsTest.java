package org.madcast.client.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.GroupSource;
import org.madcast.client.JoinFailedException;
import org.madcast.client.MulticastGroup;

@Timeout(120)
final class IntroductionsTest {

    private static final MulticastGroup FIXED =
            new MulticastGroup(InetAddress.ofLiteral("239.255.9.9"), 6000);

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private static URI deadService() throws IOException {
        return URI.create("http://127.0.0.1:" + freePort());
    }

    @Test
    void withoutAnythingItSaysWhatToSet() throws Exception {
        assertThatThrownBy(() ->
                        Introductions.introduce(CommunicatorConfig.builder("job", 0, 2).build()))
                .isInstanceOf(JoinFailedException.class)
                .hasMessageContainingAll("no service", "MADCAST_SERVICE", "MADCAST_ROOT");
        URI dead = deadService();
        assertThatThrownBy(() ->
                        Introductions.introduce(
                                CommunicatorConfig.builder("job", 0, 2).serviceUri(dead).build()))
                .isInstanceOf(JoinFailedException.class)
                .hasMessageContainingAll(dead + " does not answer", "MADCAST_ROOT");
    }

    @Test
    void aSingleRankNeedsNobody() {
        CommunicatorConfig.Builder alone = CommunicatorConfig.builder("job", 0, 1);
        Member self =
                new Member(0, new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), 1, 1);
        try (Introduction introduction = Introductions.introduce(alone.build())) {
            assertThat(introduction.groupSource()).isEqualTo(GroupSource.RANDOM);
            assertThat(introduction.meet(self, Duration.ofSeconds(1))).containsExactly(self);
            assertThat(introduction.leaseId()).isNull();
        }
        try (Introduction introduction = Introductions.introduce(alone.group(FIXED).build())) {
            assertThat(introduction.groupSource()).isEqualTo(GroupSource.CONFIGURED);
            assertThat(introduction.group()).isEqualTo(FIXED);
        }
    }

    @Test
    void aDeadServiceIsFollowedByRankZero() throws Exception {
        try (WarningLog log = new WarningLog(Introductions.class);
                Introduction introduction =
                        Introductions.introduce(
                                CommunicatorConfig.builder("job", 0, 2)
                                        .madcap(CommunicatorConfig.MADCAP_OFF)
                                        .serviceUri(deadService())
                                        .rootAddress(
                                                new InetSocketAddress(
                                                        InetAddress.getLoopbackAddress(),
                                                        freePort()))
                                        .build())) {
            assertThat(introduction.groupSource()).isEqualTo(GroupSource.RANDOM);
            assertThat(log.messages)
                    .anyMatch(message -> message.endsWith("going on without it"))
                    .anyMatch(message -> message.contains("rank 0 of 2 uses group 239."));
        }
    }

    @Test
    void aConfiguredGroupStaysWithTheServicesRendezvous() throws Exception {
        try (ContractService service = new ContractService();
                Introduction introduction =
                        Introductions.introduce(
                                CommunicatorConfig.builder("job", 0, 1)
                                        .serviceUri(service.uri())
                                        .group(FIXED)
                                        .build())) {
            assertThat(introduction.groupSource()).isEqualTo(GroupSource.CONFIGURED);
            assertThat(introduction.group()).isEqualTo(FIXED);
            assertThat(introduction.token()).isEqualTo(0xfedcba9876543210L);
        }
    }
}

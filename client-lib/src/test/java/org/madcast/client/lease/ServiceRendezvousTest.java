package org.madcast.client.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.grack.nanojson.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.GroupSource;
import org.madcast.client.JoinFailedException;

@Timeout(300)
final class ServiceRendezvousTest {

    private static final Duration LONG = Duration.ofSeconds(60);

    private final ContractService service;

    ServiceRendezvousTest() throws IOException {
        service = new ContractService();
    }

    @AfterEach
    void stop() {
        service.close();
    }

    private CommunicatorConfig config(int rank, int size) {
        return CommunicatorConfig.builder("job", rank, size).serviceUri(service.uri()).build();
    }

    private static Member self(int rank) {
        return new Member(
                rank,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 40_000 + rank),
                4_194_304,
                1472);
    }

    private void awaitRequest(String prefix) throws InterruptedException {
        String request = "";
        while (!request.startsWith(prefix)) {
            request = Objects.requireNonNull(service.seen.poll(60, TimeUnit.SECONDS), prefix);
        }
    }

    @Test
    void ranksMeetAndLeave() throws Exception {
        int size = 4;
        List<Rendezvous> met = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<List<Member>>> tables = new ArrayList<>();
            for (int rank = 0; rank < size; rank++) {
                Rendezvous rendezvous = ServiceRendezvous.find(config(rank, size));
                met.add(rendezvous);
                Member self = self(rank);
                tables.add(threads.submit(() -> rendezvous.meet(self, LONG)));
            }
            for (Future<List<Member>> table : tables) {
                assertThat(table.get()).containsExactly(self(0), self(1), self(2), self(3));
            }
        }
        for (Rendezvous rendezvous : met) {
            assertThat(rendezvous.group()).hasToString("239.192.0.17:5000");
            assertThat(rendezvous.groupSource()).isEqualTo(GroupSource.LEASED);
            assertThat(rendezvous.token()).isEqualTo(0xfedcba9876543210L);
            assertThat(rendezvous.scope()).isEqualTo("239.192.0.0/14");
            assertThat(rendezvous.leaseExpiresAt()).isAfter(Instant.now());
            assertThat(rendezvous.leaseLost()).isFalse();
            rendezvous.close();
        }
        for (int rank = 0; rank < size; rank++) {
            awaitRequest("DELETE /v1/communicators/");
        }
    }

    @Test
    void aMissingRankIsNamed() throws Exception {
        try (Rendezvous rendezvous = ServiceRendezvous.find(config(1, 4))) {
            assertThatThrownBy(() -> rendezvous.meet(self(1), Duration.ofMillis(300)))
                    .isInstanceOf(JoinFailedException.class)
                    .hasMessageContaining("ranks 0, 2 and 3 did not register within 300 ms")
                    .hasMessageContaining("'world' of job 'job', size 4");
        }
    }

    @Test
    void anotherSizeIsRefused() throws Exception {
        ServiceRendezvous.find(config(0, 4)).close();
        assertThatThrownBy(() -> ServiceRendezvous.find(config(1, 5)))
                .isInstanceOf(JoinFailedException.class)
                .hasMessageContaining("has 4 ranks, but rank 1 was started with size 5");
    }

    @Test
    void aTakenRankIsRefusedWithItsHolder() throws Exception {
        try (Rendezvous first = ServiceRendezvous.find(config(0, 1));
                Rendezvous second = ServiceRendezvous.find(config(0, 1))) {
            assertThat(first.meet(self(0), LONG)).containsExactly(self(0));
            assertThatThrownBy(() -> second.meet(self(0), LONG))
                    .isInstanceOf(JoinFailedException.class)
                    .hasMessageContaining("rank 0 of communicator 'world' of job 'job' is taken by")
                    .hasMessageContaining(":" + ProcessHandle.current().pid());
        }
    }

    @Test
    void whoJoinsAgainWaitsForTheNextOne() throws Exception {
        List<Rendezvous> old = JoinedRanks.join(service, "", "");
        old.get(1).close();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            service.seen.clear();
            Future<ServiceRendezvous> again =
                    threads.submit(() -> ServiceRendezvous.find(config(1, 2)));
            awaitRequest("POST /v1/communicators");
            awaitRequest("POST /v1/communicators");
            assertThat(again.isDone()).isFalse();
            old.get(0).close();
            try (Rendezvous next = again.get()) {
                assertThat(next.token()).isNotEqualTo(old.get(1).token());
            }
        }
    }

    @Test
    void whoIsInTheWayOfTheNextOneIsSaid() throws Exception {
        List<Rendezvous> old = JoinedRanks.join(service, "", "");
        CommunicatorConfig config =
                CommunicatorConfig.builder("job", 1, 2)
                        .serviceUri(service.uri())
                        .joinTimeout(Duration.ofMillis(300))
                        .build();
        assertThatThrownBy(() -> ServiceRendezvous.find(config))
                .isInstanceOf(JoinFailedException.class)
                .hasMessageContaining("'world' of job 'job' of an earlier start was still in use")
                .hasMessageContaining("300 ms")
                .hasMessageContaining("rank 1");
        old.forEach(Rendezvous::close);
    }

    @Test
    void everyRequestShowsTheOwnerSecret() throws Exception {
        service.ownerSecret = "of-ranks-with-several-tokens";
        assertThatThrownBy(() -> ServiceRendezvous.find(config(0, 1)))
                .isInstanceOf(JoinFailedException.class);
        Rendezvous rendezvous =
                ServiceRendezvous.find(
                        CommunicatorConfig.builder("job", 0, 1)
                                .serviceUri(service.uri())
                                .ownerSecret("of-ranks-with-several-tokens")
                                .build());
        assertThat(rendezvous.meet(self(0), LONG)).containsExactly(self(0));
        rendezvous.close();
        awaitRequest("DELETE /v1/communicators/");
    }

    @Test
    void tokensAreShownAndTheirRefusalExplained() throws Exception {
        service.bearer = "letmein";
        assertThatThrownBy(() -> ServiceRendezvous.find(config(0, 1)))
                .isInstanceOf(JoinFailedException.class)
                .hasMessageContaining("MADCAST_TOKEN");
        ServiceRendezvous.find(
                        CommunicatorConfig.builder("job", 0, 1)
                                .serviceUri(service.uri())
                                .serviceToken("letmein")
                                .build())
                .close();
    }

    @Test
    void aServiceThatCannotNowIsAskedAgainForTheGroup() throws Exception {
        service.unavailable = 2;
        ServiceRendezvous.find(config(0, 2)).close();
    }

    @Test
    void aRequestWithoutAnAnswerIsMadeAgain() throws Exception {
        service.unanswered.set(1);
        ServiceRendezvous.find(config(0, 2)).close();
        assertThat(service.seen).startsWith("POST /v1/communicators", "POST /v1/communicators");
    }

    @Test
    void aServiceThatIsRestartedIsAskedAgain() throws Exception {
        service.stop();
        try (WarningLog log = new WarningLog(ServiceRendezvous.class);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<ServiceRendezvous> found =
                    threads.submit(() -> ServiceRendezvous.find(config(0, 2)));
            assertThat(log.messages.poll(60, TimeUnit.SECONDS))
                    .contains("does not answer")
                    .contains("it is asked again for ");
            service.startAgain();
            found.get().close();
            assertThat(log.messages).as("warned of once").isEmpty();
        }
    }

    @Test
    void aServiceThatNeverAnswersIsToldWhenTheTimeIsOver() throws Exception {
        service.unanswered.set(Integer.MAX_VALUE);
        CommunicatorConfig config =
                CommunicatorConfig.builder("job", 0, 2)
                        .serviceUri(service.uri())
                        .joinTimeout(Duration.ofMillis(700))
                        .build();
        assertThatThrownBy(() -> ServiceRendezvous.find(config))
                .isInstanceOf(TemporaryFailureException.class)
                .hasMessageContaining("no answer within");
    }

    @Test
    void aServiceThatCannotNowIsAskedAgainDuringTheMeeting() throws Exception {
        try (Rendezvous rendezvous = ServiceRendezvous.find(config(0, 1))) {
            service.unavailable = 2;
            assertThat(rendezvous.meet(self(0), LONG)).containsExactly(self(0));
        }
    }

    @Test
    void aServiceThatDiesBeforeTheMeetingIsNamed() throws Exception {
        try (Rendezvous rendezvous = ServiceRendezvous.find(config(0, 2))) {
            service.close();
            assertThatThrownBy(() -> rendezvous.meet(self(0), Duration.ofMillis(300)))
                    .isInstanceOf(JoinFailedException.class)
                    .hasMessageContaining(service.uri() + "/ does not answer any more")
                    .hasMessageContaining("within 300 ms");
        }
    }

    @Test
    void aServiceThatDoesNotAnswerLeavesTimeForTheOtherWays() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            CommunicatorConfig config =
                    CommunicatorConfig.builder("job", 0, 1)
                            .serviceUri(URI.create("http://127.0.0.1:" + silent.getLocalPort()))
                            .rootAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 9))
                            .build();
            long startNs = System.nanoTime();
            assertThatThrownBy(() -> ServiceRendezvous.find(config))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("no answer within 1250 ms");
            assertThat(Duration.ofNanos(System.nanoTime() - startNs))
                    .isBetween(Duration.ofMillis(1200), Duration.ofSeconds(10));
        }
    }

    @Test
    void theMembershipIsRenewed() throws Exception {
        service.lease = Duration.ofSeconds(4);
        try (Rendezvous rendezvous = ServiceRendezvous.find(config(0, 1))) {
            rendezvous.meet(self(0), LONG);
            Instant before = Objects.requireNonNull(rendezvous.leaseExpiresAt());
            String path = "POST /v1/communicators/";
            awaitRequest(path);
            awaitUntil(() -> Objects.requireNonNull(rendezvous.leaseExpiresAt()).isAfter(before));
            assertThat(rendezvous.leaseLost()).isFalse();
        }
    }

    @Test
    void aRefusedRenewalLosesTheLease() throws Exception {
        service.lease = Duration.ofSeconds(4);
        service.renewalStatus = 404;
        try (Rendezvous rendezvous = ServiceRendezvous.find(config(0, 1))) {
            rendezvous.meet(self(0), LONG);
            awaitUntil(rendezvous::leaseLost);
        }
    }

    @Test
    void aServiceThatDiesInTheMiddleLosesTheLeaseAtItsEnd() throws Exception {
        service.lease = Duration.ofSeconds(4);
        try (Rendezvous rendezvous = ServiceRendezvous.find(config(0, 1))) {
            rendezvous.meet(self(0), LONG);
            service.close();
            awaitUntil(rendezvous::leaseLost);
        }
    }

    private static void awaitUntil(BooleanSupplier condition) {
        long deadlineNs = System.nanoTime() + LONG.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(deadlineNs - System.nanoTime()).as("time left").isPositive();
            LockSupport.parkNanos(5_000_000);
        }
    }

    @Test
    void aLeaseThatCannotBeReleasedIsLoggedOnce() throws Exception {
        try (WarningLog log = new WarningLog(ServiceMembership.class)) {
            Rendezvous rendezvous = ServiceRendezvous.find(config(0, 1));
            rendezvous.meet(self(0), LONG);
            service.close();
            rendezvous.close();
            rendezvous.close();
            assertThat(log.messages)
                    .singleElement()
                    .asString()
                    .startsWith("lease 5f0c2b4e-0000-4000-8000-000000000001 could not be released")
                    .contains("it expires at");
        }
    }

    @Test
    void reportsCarryTheirSender() throws Exception {
        try (Rendezvous rendezvous = ServiceRendezvous.find(config(0, 1))) {
            assertThat(rendezvous.reports()).isEmpty();
            rendezvous.meet(self(0), LONG);
            Map<String, Object> report = new HashMap<>(Map.of("sequence", 17L));
            assertThat(rendezvous.reports().orElseThrow().send(report))
                    .hasValue(Map.of("", 250, "64KiB..", 700));
            JsonObject received = service.reports.take();
            assertThat(received.getLong("sequence")).isEqualTo(17);
            assertThat(received.getInt("rank")).isZero();
            assertThat(received).containsKeys("communicatorId", "instance");
            service.unavailable = 1;
            assertThatThrownBy(() -> rendezvous.reports().orElseThrow().send(report))
                    .isInstanceOf(IOException.class);
        }
    }
}

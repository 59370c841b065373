package org.madcast.client.lease;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.madcast.client.Communicator;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.CommunicatorInfo;
import org.madcast.client.GroupSource;

/** A communicator whose lease ends under it goes on in another group. */
@Timeout(300)
class LostLeaseTest {

    private static final int RANKS = 3;

    /** Between two broadcasts while nothing but time has to pass: the processor is others' then. */
    private static final long PAUSE_NS = 2_000_000;

    private final ContractService service = new ContractService();

    LostLeaseTest() throws IOException {}

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void theServiceLeasesAnotherGroupAndNoBroadcastIsLost() throws Exception {
        service.lease = Duration.ofSeconds(4);
        List<CommunicatorInfo> infos =
                broadcastUntil(ContractService.FRESH_GROUP, () -> service.renewalStatus = 404);
        for (CommunicatorInfo info : infos) {
            assertThat(info.groupSource()).isEqualTo(GroupSource.LEASED);
            assertThat(info.group()).hasToString(ContractService.FRESH_GROUP + ":5000");
        }
        assertThat(infos.getFirst().leaseId()).endsWith("0002");
        assertThat(service.seen)
                .contains("POST /v1/leases")
                .contains("DELETE /v1/leases/5f0c2b4e-0000-4000-8000-000000000002");
    }

    @Test
    void withoutTheServiceTheOtherGroupIsDrawnAtRandom() throws Exception {
        service.lease = Duration.ofSeconds(3);
        List<CommunicatorInfo> infos = broadcastUntil("239.", service::close);
        for (CommunicatorInfo info : infos) {
            assertThat(info.groupSource()).isEqualTo(GroupSource.RANDOM);
            assertThat(info.group()).isEqualTo(infos.getFirst().group());
            assertThat(info.leaseId()).isNull();
        }
    }

    @Test
    void aServiceThatRestartsInTimeChangesNothing() throws Exception {
        service.lease = Duration.ofSeconds(12);
        AtomicLong goneAtNs = new AtomicLong();
        Set<String> renewals = new HashSet<>();
        List<Future<CommunicatorInfo>> futures = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(RANKS)) {
            for (int rank = 0; rank < RANKS; rank++) {
                CommunicatorConfig config = config(rank);
                futures.add(
                        threads.submit(() -> {
                            try (Communicator communicator = Communicator.join(config)) {
                                byte[] go = {1};
                                while (go[0] == 1) {
                                    if (communicator.rank() == 0) {
                                        LockSupport.parkNanos(PAUSE_NS);
                                        go[0] = (byte) (restart(goneAtNs, renewals) ? 0 : 1);
                                    }
                                    communicator.bcast(MemorySegment.ofArray(go), 0);
                                }
                                return communicator.info();
                            }
                        }));
            }
            for (Future<CommunicatorInfo> future : futures) {
                CommunicatorInfo info = future.get(100, TimeUnit.SECONDS);
                assertThat(info.groupSource()).isEqualTo(GroupSource.LEASED);
                assertThat(info.group())
                        .hasToString(ContractService.GROUP + ":" + ContractService.PORT);
            }
        }
        assertThat(service.seen).doesNotContain("POST /v1/leases");
    }

    /**
     * Takes the service away for longer than a renewal's turn.
     *
     * @return whether it is back and every rank has renewed since
     */
    private boolean restart(AtomicLong goneAtNs, Set<String> renewals) throws IOException {
        if (goneAtNs.get() == 0) {
            service.stop();
            service.seen.clear();
            goneAtNs.set(System.nanoTime());
        } else if (goneAtNs.get() > 0
                && System.nanoTime() - goneAtNs.get() > Duration.ofSeconds(5).toNanos()) {
            service.startAgain();
            goneAtNs.set(-1);
        }
        service.seen.stream().filter(it -> it.endsWith("/renewal")).forEach(renewals::add);
        return renewals.size() == RANKS;
    }

    private CommunicatorConfig config(int rank) {
        return CommunicatorConfig.builder("job", rank, RANKS)
                .serviceUri(service.uri())
                .networkInterface("lo")
                .madcap(CommunicatorConfig.MADCAP_OFF)
                .build();
    }

    /** Broadcasts until every rank is in another group that begins so, then tells of it. */
    private List<CommunicatorInfo> broadcastUntil(String start, Runnable trouble) throws Exception {
        List<Future<CommunicatorInfo>> futures = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(RANKS)) {
            for (int rank = 0; rank < RANKS; rank++) {
                CommunicatorConfig config = config(rank);
                futures.add(threads.submit(() -> broadcast(config, start, trouble)));
            }
            List<CommunicatorInfo> infos = new ArrayList<>();
            for (Future<CommunicatorInfo> future : futures) {
                infos.add(future.get(100, TimeUnit.SECONDS));
            }
            return infos;
        }
    }

    private static CommunicatorInfo broadcast(
            CommunicatorConfig config, String start, Runnable trouble) {
        try (Communicator communicator = Communicator.join(config)) {
            String first = requireNonNull(communicator.info().group()).toString();
            boolean moved = false;
            for (int i = 0; !moved; i++) {
                if (i == 3 && communicator.rank() == 0) {
                    trouble.run();
                }
                byte[] message = new byte[20_000];
                if (communicator.rank() == 0) {
                    Arrays.fill(message, (byte) i);
                }
                communicator.bcast(MemorySegment.ofArray(message), 0);
                assertThat(message).containsOnly((byte) i);
                String now = requireNonNull(communicator.info().group()).toString();
                moved = allAgree(communicator, now.startsWith(start) && !now.equals(first));
            }
            return communicator.info();
        }
    }

    /** Whether all ranks say so: each asks the others by a broadcast of its own. */
    private static boolean allAgree(Communicator communicator, boolean own) {
        boolean all = true;
        for (int rank = 0; rank < communicator.size(); rank++) {
            byte[] word = {(byte) (own ? 1 : 0)};
            communicator.bcast(MemorySegment.ofArray(word), rank);
            all &= word[0] == 1;
        }
        return all;
    }
}

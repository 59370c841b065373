package org.madcast.client.lease;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.grack.nanojson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.madcast.client.BroadcastParameters;
import org.madcast.client.Communicator;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.CommunicatorInfo;
import org.madcast.client.GroupSource;

/** What the service sees of communicators that are made out of others. */
@Timeout(180)
class PartAtServiceTest {

    private static final int RANKS = 3;

    @Test
    void theServiceSeesACommunicatorWhenItTakesAGroup() throws Exception {
        try (ContractService service = new ContractService();
                ExecutorService threads = Executors.newFixedThreadPool(RANKS)) {
            List<Future<CommunicatorInfo>> ranks = new ArrayList<>();
            for (int rank = 0; rank < RANKS; rank++) {
                CommunicatorConfig config =
                        CommunicatorConfig.builder("job", rank, RANKS)
                                .serviceUri(service.uri())
                                .networkInterface("lo")
                                .madcap(CommunicatorConfig.MADCAP_OFF)
                                .parameters(
                                        BroadcastParameters.builder().partMulticastBytes(0).build())
                                .build();
                ranks.add(threads.submit(() -> broadcastInAPart(service, config)));
            }
            for (Future<CommunicatorInfo> rank : ranks) {
                CommunicatorInfo info = rank.get(50, TimeUnit.SECONDS);
                assertThat(info.groupSource()).isEqualTo(GroupSource.LEASED);
                assertThat(info.group()).hasToString("239.192.1.0:5000");
                assertThat(info.leaseId()).isNotNull();
            }
            ContractService part = requireNonNull(service.named("world.1"));
            JsonObject report = requireNonNull(part.reports.poll(30, TimeUnit.SECONDS), "a report");
            assertThat(report.getObject("counters").getInt("broadcasts")).isEqualTo(1);
        }
    }

    private static CommunicatorInfo broadcastInAPart(
            ContractService service, CommunicatorConfig config) {
        try (Communicator world = Communicator.join(config);
                Communicator silent = world.dup();
                Communicator part = world.dup()) {
            silent.barrier();
            assertThat(service.named("world.0")).isNull();
            assertThat(service.named("world.1")).isNull();
            world.barrier();
            part.bcast(new byte[100], 1);
            part.barrier();
            assertThat(service.named("world.0")).isNull();
            return part.info();
        }
    }
}

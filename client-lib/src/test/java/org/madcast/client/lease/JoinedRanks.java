package org.madcast.client.lease;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.CommunicatorStatistics;
import org.madcast.client.DurationDistribution;
import org.madcast.client.FreePort;
import org.madcast.client.JobKey;

/** The ranks of one communicator, in one process, that have met at a service. */
final class JoinedRanks {

    /** What a rank could report. */
    static final CommunicatorStatistics STATISTICS =
            new CommunicatorStatistics(
                    1,
                    2,
                    3,
                    4,
                    5,
                    6,
                    7,
                    8,
                    9,
                    Map.of("crc", 10L),
                    DurationDistribution.of(Map.of(11L, 1L)),
                    12,
                    0,
                    0);

    private JoinedRanks() {}

    /** The only rank of a communicator; the caller closes it. */
    static Rendezvous joinAlone(ContractService service) throws Exception {
        return join(service, "").getFirst();
    }

    /** One rank for each key, which is empty for none; the caller closes them. */
    static List<Rendezvous> join(ContractService service, String... keys) throws Exception {
        List<Rendezvous> joined = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Rendezvous>> joining = new ArrayList<>();
            for (int i = 0; i < keys.length; i++) {
                int rank = i;
                CommunicatorConfig.Builder config =
                        CommunicatorConfig.builder("job", rank, keys.length)
                                .serviceUri(service.uri());
                if (!keys[rank].isEmpty()) {
                    config.key(JobKey.ofHex(keys[rank]));
                }
                InetSocketAddress here =
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePort.udp());
                joining.add(
                        threads.submit(() -> {
                            Rendezvous rendezvous = ServiceRendezvous.find(config.build());
                            rendezvous.meet(new Member(rank, here, 1, 2), Duration.ofSeconds(60));
                            return rendezvous;
                        }));
            }
            for (Future<Rendezvous> each : joining) {
                joined.add(each.get());
            }
        }
        return joined;
    }
}

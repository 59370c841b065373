package org.madcast.agent.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet6Address;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.madcast.agent.system.NeedsLab;
import org.madcast.lab.Lab;
import org.madcast.lab.LabSpec;

/** A job whose ranks meet over IPv6 broadcasts over it, also where datagrams are lost. */
final class Ipv6IT {

    private static final int RANKS = 4;
    private static final int MESSAGES = 40;
    private static final int BYTES = 256 * 1024;
    private static final int PORT = 45_001;

    @Test
    void sealedBroadcastsArrive() throws Exception {
        broadcastsArrive("native", true);
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"native, false", "nio, false", "nio, true"})
    void broadcastsArrive(String path, boolean sealed) throws Exception {
        NeedsLab.assumeAvailable();
        try (Lab lab = Lab.up(LabSpec.builder().hosts(RANKS).rate("100mbit").build())) {
            String root = lab.host(0).address6().getHostAddress();
            Map<String, String> variables = new HashMap<>();
            variables.put("MADCAST_ROOT", "[" + root + "]:" + PORT);
            variables.put("MADCAST_SOCKET_PATH", path);
            if (sealed) {
                variables.put("MADCAST_KEY", "0123456789abcdef".repeat(4));
            }
            try (FaultJob job = FaultJob.start(lab, RANKS, variables)) {
                assertThat(job.group().getAddress()).isInstanceOf(Inet6Address.class);
                long before = lab.counters(0).sentBytes();
                Faults.assertAllRight(job.run(MESSAGES, BYTES, 0, Duration.ofSeconds(60)), RANKS);
                assertThat(lab.counters(0).sentBytes() - before)
                        .as("once for all ranks, and not for each")
                        .isLessThan(2L * MESSAGES * BYTES);
                for (int host = 0; host < RANKS; host++) {
                    lab.setLoss(host, 3);
                }
                Faults.assertAllRight(job.run(MESSAGES, BYTES, -1, Duration.ofSeconds(60)), RANKS);
                assertThat(job.total("repairsReceived")).as("something was lost").isPositive();
            }
        }
    }
}

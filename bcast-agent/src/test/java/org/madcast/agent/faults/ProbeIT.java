package org.madcast.agent.faults;

import java.time.Duration;
import java.util.*;
import org.junit.jupiter.api.*;
import org.madcast.lab.*;

class ProbeIT {
    @Test
    void probe() throws Exception {
        try (Lab lab = Lab.up(LabSpec.builder().hosts(6).rate("100mbit").build());
                FaultJob job = FaultJob.start(lab, 6, Map.of("MADCAST_DEATH_TIMEOUT", "5000ms"))) {
            job.begin(100000, 65536, 3);
            Faults.last(Duration.ofMillis(300));
            int victim = Integer.getInteger("victim", 5);
            job.kill(victim);
            for (int t = 0; t < 9; t++) {
                List<HostCounters> before = new ArrayList<>();
                for (int h = 0; h < 6; h++) before.add(lab.counters(h));
                if (t == 2) {
                    for (int h : new int[] {0, 3})
                        new ProcessBuilder(
                                        "sh",
                                        "-c",
                                        "timeout 1 tshark -i eth0 -c 3000 -w /tmp/flt/h"
                                                + h
                                                + ".pcap >/dev/null 2>&1 &")
                                .start();
                    for (int h : new int[] {0, 3})
                        lab.host(h)
                                .start(
                                        new ProcessBuilder(
                                                "timeout",
                                                "2",
                                                "tcpdump",
                                                "-i",
                                                "eth0",
                                                "-c",
                                                "3000",
                                                "-w",
                                                "/tmp/flt/h" + h + ".pcap"));
                }
                Faults.last(Duration.ofSeconds(1));
                for (int h = 0; h < 6; h++) {
                    var d = lab.counters(h).since(before.get(h));
                    System.out.printf(
                            "t%d h%d tx %d rx %d txB %d  ",
                            t, h, d.sentPackets(), d.receivedPackets(), d.sentBytes());
                }
                System.out.println();
            }
        }
    }
}

package org.madcast.agent.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.madcast.agent.system.NeedsLab;
import org.madcast.lab.Lab;
import org.madcast.lab.LabSpec;

/** Siebert's algorithm where every link loses packets, those of the messages too. */
class SecondStageIT {

    private static final int RANKS = 5;
    private static final int MESSAGES = 40;
    private static final int BYTES = 64 * 1024;
    private static final Map<String, String> IPMC = Map.of("MADCAST_ALGORITHM", "ipmc");
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static Lab lab;

    @BeforeAll
    static void makeLab() {
        NeedsLab.assumeAvailable();
        lab = Lab.up(LabSpec.builder().hosts(RANKS).rate("100mbit").build());
    }

    @AfterAll
    static void end() {
        if (lab != null) {
            lab.close();
        }
    }

    private static void loseOnEachHost(double percent) {
        IntStream.range(0, RANKS).forEach(host -> lab.setLoss(host, percent));
    }

    @Test
    void everyByteArrivesAndNoRankAsks() throws Exception {
        try (FaultJob job = FaultJob.start(lab, RANKS, IPMC)) {
            loseOnEachHost(5);
            try {
                Faults.assertAllRight(job.run(MESSAGES, BYTES, -1, LIMIT), RANKS);
            } finally {
                loseOnEachHost(0);
            }
            System.out.printf("5 %%: took %s%n", job.underWay());
            assertThat(job.total("fragmentsUseful")).isPositive();
            assertThat(job.total("repairRequestsSent")).isZero();
            assertThat(job.total("repairsReceived")).isZero();
        }
    }

    @Test
    void aKilledRankIsNamedToAllOthers() throws Exception {
        int victim = 2;
        try (FaultJob job = FaultJob.start(lab, RANKS, IPMC)) {
            job.begin(1_000_000, BYTES, -1);
            Faults.last(Duration.ofMillis(300));
            job.kill(victim);
            List<Outcome> outcomes = job.await(LIMIT);
            Faults.assertAllMiss(outcomes, RANKS, victim);
        }
    }
}

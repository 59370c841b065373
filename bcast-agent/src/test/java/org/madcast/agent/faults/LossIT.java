package org.madcast.agent.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.madcast.agent.system.NeedsLab;
import org.madcast.lab.Lab;
import org.madcast.lab.LabSpec;

/** Faults that pass: one job lives through all of them, and its bytes are right every time. */
class LossIT {

    private static final int RANKS = 6;
    private static final int MESSAGES = 40;
    private static final int BYTES = 256 * 1024;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /** A JVM with its heap, its code, the ring of fragments and 16 MiB of messages. */
    private static final long MOST_RESIDENT_BYTES = 160 << 20;

    private static Lab lab;
    private static FaultJob job;

    @BeforeAll
    static void makeJob() throws Exception {
        NeedsLab.assumeAvailable();
        lab = Lab.up(LabSpec.builder().hosts(RANKS).rate("100mbit").build());
        job = FaultJob.start(lab, RANKS, Map.of());
    }

    @AfterAll
    static void end() {
        if (job != null) {
            job.close();
        }
        if (lab != null) {
            lab.close();
        }
    }

    @AfterEach
    void memoryIsBounded() {
        assertThat(job.peakResidentBytes()).isLessThan(MOST_RESIDENT_BYTES);
    }

    private static void onEachHost(IntConsumer fault) {
        IntStream.range(0, RANKS).forEach(fault);
    }

    @Test
    void fivePercentLossCostsAtMostAQuarterMoreOnTheWire() throws Exception {
        long start = job.wireBytes();
        Faults.assertAllRight(job.run(MESSAGES, BYTES, -1, LIMIT), RANKS);
        long lossless = job.wireBytes() - start;
        long asked = job.total("repairsReceived");
        onEachHost(host -> lab.setLoss(host, 5));
        try {
            start = job.wireBytes();
            Faults.assertAllRight(job.run(MESSAGES, BYTES, -1, LIMIT), RANKS);
            long lossy = job.wireBytes() - start;
            long repaired = job.total("repairsReceived") - asked;
            System.out.printf(
                    "5 %%: %d bytes lossless, %d lossy, ratio %.3f, %d repairs%n",
                    lossless, lossy, (double) lossy / lossless, repaired);
            assertThat(repaired).isPositive();
            assertThat((double) lossy / lossless).isLessThan(1.25);
        } finally {
            onEachHost(host -> lab.setLoss(host, 0));
        }
    }

    @Test
    void burstsAreRepaired() throws Exception {
        onEachHost(host -> lab.setBurstLoss(host, 500, 25));
        try {
            Faults.assertAllRight(job.run(MESSAGES, BYTES, -1, LIMIT), RANKS);
        } finally {
            onEachHost(host -> lab.setBurstLoss(host, 500, 0));
        }
    }

    @Test
    void theRootsUplinkMayLoseEverythingFor200Ms() throws Exception {
        long start = job.wireBytes();
        long repairsSent = job.total("repairsSent");
        long lost = job.total("fragmentsLost");
        job.begin(4 * MESSAGES, BYTES, 0);
        Faults.last(Duration.ofMillis(300));
        lab.setUplinkLoss(0, 100);
        Faults.last(Duration.ofMillis(200));
        lab.setUplinkLoss(0, 0);
        assertThat(job.hasAnswer()).isFalse();
        Faults.assertAllRight(job.await(LIMIT), RANKS);
        for (int r = 0; r < RANKS; r++) {
            System.out.println("rank " + r + " " + new java.util.TreeMap<>(job.statistics(r)));
        }
        System.out.printf(
                "uplink: %d wire bytes of %d, repairs sent %d, lost %d, took %s%n",
                job.wireBytes() - start,
                4L * MESSAGES * BYTES * RANKS,
                job.total("repairsSent") - repairsSent,
                job.total("fragmentsLost") - lost,
                job.underWay());
    }

    @Test
    void aHostThatStandsStillForTwoSecondsIsWaitedFor() throws Exception {
        job.begin(4 * MESSAGES, BYTES, 0);
        Faults.last(Duration.ofMillis(300));
        lab.pause(RANKS - 1);
        Faults.last(Duration.ofSeconds(2));
        assertThat(job.hasAnswer()).isFalse();
        lab.resume(RANKS - 1);
        Faults.assertAllRight(job.await(LIMIT), RANKS);
        System.out.printf("pause: took %s%n", job.underWay());
    }
}

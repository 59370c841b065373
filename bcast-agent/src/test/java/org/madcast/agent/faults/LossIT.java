package org.madcast.agent.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.agent.system.NeedsLab;
import org.madcast.lab.Lab;
import org.madcast.lab.LabSpec;
import org.madcast.lab.LinkRate;

/** Faults that pass: one job lives through all of them, and its bytes are right every time. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class LossIT {

    private static final int RANKS = 6;
    private static final int MESSAGES = 40;
    private static final int BYTES = 256 * 1024;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** A JVM with its heap, its code, the ring of fragments and 16 MiB of messages. */
    private static final long MOST_RESIDENT_BYTES = 160 << 20;

    /**
     * More would be a storm: without loss it is one for each rank, and along a chain, to which the
     * ranks may have changed, twice that for all but one.
     */
    private static final double MOST_TIMES_ON_THE_WIRE = 2.5 * RANKS;

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
    @Order(1)
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
                    "5 %%: %.3f times the bytes on the wire, %d repairs%n",
                    (double) lossy / lossless, repaired);
            assertThat(repaired).isPositive();
            assertThat((double) lossy / lossless).isLessThan(1.25);
        } finally {
            onEachHost(host -> lab.setLoss(host, 0));
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {1, 30})
    @Order(2)
    @Tag("slow")
    void otherLossesAreRepairedToo(double percent) throws Exception {
        onEachHost(host -> lab.setLoss(host, percent));
        try {
            Faults.assertAllRight(job.run(MESSAGES, BYTES, -1, Duration.ofMinutes(2)), RANKS);
            System.out.printf("%.0f %%: took %s%n", percent, job.underWay());
        } finally {
            onEachHost(host -> lab.setLoss(host, 0));
        }
    }

    @Test
    @Order(3)
    void burstsAreRepaired() throws Exception {
        onEachHost(host -> lab.setBurstLoss(host, 500, 25));
        try {
            Faults.assertAllRight(job.run(MESSAGES, BYTES, -1, LIMIT), RANKS);
        } finally {
            onEachHost(host -> lab.setBurstLoss(host, 500, 0));
        }
    }

    @Test
    @Order(4)
    void aHostThatStandsStillForTwoSecondsIsWaitedFor() throws Exception {
        job.begin(4 * MESSAGES, BYTES, 0);
        Faults.standStill(lab, RANKS - 1, job);
        Faults.assertAllRight(job.await(LIMIT), RANKS);
    }

    /** The others get no storm of repairs for it, and it gets everything at its own pace. */
    @Test
    @Order(5)
    @Tag("slow")
    void aLinkOfATenthOfTheRateIsKeptTo() throws Exception {
        lab.setRate(3, Optional.of(LinkRate.parse("10mbit")));
        try {
            long start = job.wireBytes();
            Faults.assertAllRight(job.run(MESSAGES, BYTES, 0, Duration.ofMinutes(1)), RANKS);
            System.out.printf(
                    "a tenth of the rate: %.2f times the messages on the wire, took %s%n",
                    timesTheMessages(MESSAGES, start), job.underWay());
            assertThat(timesTheMessages(MESSAGES, start)).isLessThan(MOST_TIMES_ON_THE_WIRE);
        } finally {
            lab.setRate(3, Optional.of(LinkRate.parse("100mbit")));
        }
    }

    @Test
    @Order(6)
    void theRootsUplinkMayLoseEverythingFor200Ms() throws Exception {
        long start = job.wireBytes();
        job.begin(4 * MESSAGES, BYTES, 0);
        Faults.last(Duration.ofMillis(300));
        lab.setUplinkLoss(0, 100);
        Faults.last(Duration.ofMillis(200));
        lab.setUplinkLoss(0, 0);
        assertThat(job.hasAnswer()).isFalse();
        Faults.assertAllRight(job.await(LIMIT), RANKS);
        System.out.printf(
                "uplink: %.2f times the messages on the wire, took %s%n",
                timesTheMessages(4 * MESSAGES, start), job.underWay());
        assertThat(timesTheMessages(4 * MESSAGES, start)).isLessThan(MOST_TIMES_ON_THE_WIRE);
    }

    /** Without loss this is the number of ranks: one link sends, the others receive. */
    private static double timesTheMessages(int messages, long startBytes) {
        return (double) (job.wireBytes() - startBytes) / messages / BYTES;
    }
}

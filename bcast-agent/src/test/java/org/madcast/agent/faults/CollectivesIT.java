package org.madcast.agent.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.madcast.agent.system.NeedsLab;
import org.madcast.lab.Lab;
import org.madcast.lab.LabSpec;

/** Every kind of operation, messages too, on a network with faults, and when a rank is killed. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class CollectivesIT {

    private static final int RANKS = 4;
    private static final int ROUNDS = 10;
    private static final int ENDLESS = 1_000_000;
    private static final int BYTES = 16 * 1024;
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final Duration DEATH_TIMEOUT = Duration.ofSeconds(5);

    private static Lab lab;
    private static FaultJob job;

    @BeforeAll
    static void makeJob() throws Exception {
        NeedsLab.assumeAvailable();
        lab = Lab.up(LabSpec.builder().hosts(RANKS + 1).rate("100mbit").build());
        String timeout = DEATH_TIMEOUT.toSeconds() + "s";
        job = FaultJob.start(lab, RANKS, Map.of("MADCAST_DEATH_TIMEOUT", timeout));
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

    private static void onEachHost(IntConsumer fault) {
        IntStream.range(0, RANKS).forEach(fault);
    }

    private static void assertRoundsAreRight() throws Exception {
        job.beginCollectives(ROUNDS, BYTES);
        Faults.assertAllRight(job.await(LIMIT), RANKS);
    }

    /** The first of them all, so that the ranks connect to each other in the crowd. */
    @Test
    @Order(0)
    void strangersAtThePortsOfMessagesKeepNobodyOut() throws Exception {
        try (Strangers strangers = Strangers.from(lab.host(RANKS), lab, RANKS)) {
            Faults.last(Duration.ofMillis(500));
            int before = strangers.made();
            assertRoundsAreRight();
            assertThat(strangers.made() - before).isGreaterThan(100);
        }
    }

    @Test
    @Order(1)
    void lossIsRepaired() throws Exception {
        onEachHost(host -> lab.setLoss(host, 2));
        try {
            assertRoundsAreRight();
        } finally {
            onEachHost(host -> lab.setLoss(host, 0));
        }
    }

    @Test
    @Order(2)
    void burstsAreRepaired() throws Exception {
        onEachHost(
                host -> lab.setBurstLoss(host, 200, 4)); // counts packets, of which there are few
        try {
            assertRoundsAreRight();
        } finally {
            onEachHost(host -> lab.setBurstLoss(host, 200, 0));
        }
    }

    @Test
    @Order(3)
    void aHostThatStandsStillIsWaitedFor() throws Exception {
        job.beginCollectives(20 * ROUNDS, BYTES);
        Faults.standStill(lab, RANKS - 1, job);
        Faults.assertAllRight(job.await(LIMIT), RANKS);
    }

    @Test
    @Order(4)
    void withoutMulticastTheyGoOn() throws Exception {
        job.beginCollectives(20 * ROUNDS, BYTES);
        Faults.last(Duration.ofMillis(300));
        lab.blockMulticast(1);
        Faults.assertAllRight(job.await(LIMIT), RANKS);
    }

    @Test
    @Order(5)
    void aKilledRankIsNamedToAllOthers() throws Exception {
        job.beginCollectives(ENDLESS, BYTES);
        Faults.last(Duration.ofMillis(500));
        job.kill(2);
        Faults.assertAllMiss(job.await(job.underWay().plus(LIMIT)), RANKS, 2);
    }
}

package org.madcast.agent.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.agent.system.NeedsLab;
import org.madcast.lab.Lab;
import org.madcast.lab.LabSpec;

/** A switch that does not pass multicast: to one host or to all, from the start or from now on. */
class BlockedMulticastIT {

    private static final int RANKS = 5;
    private static final int BYTES = 64 * 1024;
    private static final int MESSAGES = 60;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private Lab lab;

    @BeforeEach
    void makeLab() {
        NeedsLab.assumeAvailable();
        lab = Lab.up(LabSpec.builder().hosts(RANKS).rate("100mbit").build());
    }

    @AfterEach
    void takeLabDown() {
        if (lab != null) {
            lab.close();
        }
    }

    @Test
    void fromTheStartForOneHost() throws Exception {
        lab.blockMulticast(2);
        try (FaultJob job = FaultJob.start(lab, RANKS, Map.of())) {
            long start = job.wireBytes();
            Faults.assertAllRight(job.run(MESSAGES, BYTES, -1, LIMIT), RANKS);
            assertTravelledByUnicast(job.wireBytes() - start);
        }
    }

    @Test
    @Tag("slow")
    void fromTheStartForAll() throws Exception {
        for (int host = 0; host < RANKS; host++) {
            lab.blockMulticast(host);
        }
        try (FaultJob job = FaultJob.start(lab, RANKS, Map.of())) {
            long start = job.wireBytes();
            Faults.assertAllRight(job.run(MESSAGES, BYTES, -1, LIMIT), RANKS);
            assertTravelledByUnicast(job.wireBytes() - start);
        }
    }

    /** Along a chain every message leaves all hosts but the last and reaches all but the first. */
    private static void assertTravelledByUnicast(long wireBytes) {
        double times = (double) wireBytes / MESSAGES / BYTES;
        System.out.printf("by unicast: %.2f times the message on the wire%n", times);
        assertThat(times).isBetween(2.0 * (RANKS - 1), 2.5 * (RANKS - 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3})
    @Tag("slow")
    void inTheMiddleForOneHost(int host) throws Exception {
        try (FaultJob job = FaultJob.start(lab, RANKS, Map.of())) {
            job.begin(5 * MESSAGES, BYTES, 0);
            Faults.last(Duration.ofMillis(300));
            lab.blockMulticast(host);
            Faults.assertAllRight(job.await(LIMIT), RANKS);
            System.out.printf("blocked at %d in the middle: took %s%n", host, job.underWay());
        }
    }

    @Test
    void inTheMiddleForAllAndTheRunCompletesByUnicast() throws Exception {
        try (FaultJob job = FaultJob.start(lab, RANKS, Map.of())) {
            job.begin(5 * MESSAGES, BYTES, -1);
            Faults.last(Duration.ofMillis(300));
            for (int host = 0; host < RANKS; host++) {
                lab.blockMulticast(host);
            }
            assertThat(job.hasAnswer()).isFalse();
            Faults.assertAllRight(job.await(LIMIT), RANKS);
            long start = job.wireBytes();
            Faults.assertAllRight(job.run(MESSAGES, BYTES, -1, LIMIT), RANKS);
            assertTravelledByUnicast(job.wireBytes() - start);
            for (int host = 0; host < RANKS; host++) {
                lab.unblockMulticast(host);
            }
            awaitMulticast(job);
        }
    }

    /** Some seconds after it works again, multicast is used again. */
    private static void awaitMulticast(FaultJob job) throws Exception {
        long endNs = System.nanoTime() + LIMIT.toNanos();
        double times;
        do {
            assertThat(System.nanoTime()).as("still by unicast").isLessThan(endNs);
            long start = job.wireBytes();
            Faults.assertAllRight(job.run(MESSAGES, BYTES, -1, LIMIT), RANKS);
            times = (double) (job.wireBytes() - start) / MESSAGES / BYTES;
        } while (times > 1.25 * RANKS);
        System.out.printf("by multicast again: %.2f times the message on the wire%n", times);
    }
}

package org.madcast.agent.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.madcast.agent.system.NeedsLab;
import org.madcast.lab.Lab;
import org.madcast.lab.LabSpec;

/** Somebody else sends to the group of a job: other jobs, old datagrams, guessed headers. */
class IntruderIT {

    private static final String GROUP = "239.255.77.1:5077";
    private static final int RANKS = 4;
    private static final int MESSAGES = 60;
    private static final int BYTES = 64 * 1024;
    private static final int DATAGRAMS = 2000;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static Lab lab;
    private FaultJob job;
    private Intruder intruder;

    @BeforeAll
    static void makeLab() {
        NeedsLab.assumeAvailable();
        lab = Lab.up(LabSpec.builder().hosts(2 * RANKS).rate("100mbit").build());
    }

    @AfterAll
    static void takeLabDown() {
        if (lab != null) {
            lab.close();
        }
    }

    @BeforeEach
    void begin() throws Exception {
        // A configured group is kept; one drawn at random would be left for another.
        job = FaultJob.start(lab, RANKS, Map.of("MADCAST_GROUP", GROUP));
        intruder = new Intruder(lab.host(RANKS), job.group());
    }

    @AfterEach
    void end() throws Exception {
        if (job != null) {
            job.close();
        }
        if (intruder != null) {
            intruder.close();
        }
    }

    @Test
    void whatIsNotOfThisCommunicatorIsCountedAndNeverBelieved() throws Exception {
        job.begin(5 * MESSAGES, BYTES, -1);
        intruder.sendGarbage(DATAGRAMS);
        intruder.sendWellFormed(DATAGRAMS, job.token() + 1);
        intruder.sendWellFormed(DATAGRAMS, 0);
        intruder.sendWithWrongChecksum(DATAGRAMS, job.token());
        Faults.assertAllRight(job.await(LIMIT), RANKS);

        for (int rank = 0; rank < RANKS; rank++) {
            Map<String, Long> counted = job.statistics(rank);
            assertThat(counted.get("rejected-foreign")).isGreaterThan(DATAGRAMS);
            assertThat(counted.get("rejected-bad-checksum")).isGreaterThan(DATAGRAMS / 2);
            assertThat(counted.get("rejected-bad-version")).isGreaterThan(DATAGRAMS / 2);
        }
    }

    @Test
    void replayedDatagramsChangeNothing() throws Exception {
        Faults.assertAllRight(job.run(MESSAGES, BYTES, -1, LIMIT), RANKS);
        List<byte[]> recorded = intruder.heard();
        assertThat(recorded).hasSizeGreaterThan(1000);
        job.begin(5 * MESSAGES, BYTES, -1);
        for (byte[] old : recorded) {
            intruder.send(old);
        }
        Faults.assertAllRight(job.await(LIMIT), RANKS);
        assertThat(job.total("fragmentsDuplicate")).isGreaterThan(recorded.size());
    }

    /** Two jobs that were given the same group and port: both work, and both count the other. */
    @Test
    @Tag("slow")
    void twoJobsOnOneGroupDoNotDisturbEachOther() throws Exception {
        try (FaultJob other = FaultJob.start(lab, 2 * RANKS, Map.of("MADCAST_GROUP", GROUP))) {
            assertThat(other.group()).isEqualTo(job.group());
            assertThat(other.token()).isNotEqualTo(job.token());
            job.begin(5 * MESSAGES, BYTES, -1);
            other.begin(5 * MESSAGES, BYTES, -1);
            Faults.assertAllRight(job.await(LIMIT), RANKS);
            Faults.assertAllRight(other.await(LIMIT), 2 * RANKS);
            assertThat(job.total("rejected-foreign")).isGreaterThan(DATAGRAMS);
            assertThat(other.total("rejected-foreign")).isGreaterThan(DATAGRAMS);
        }
    }
}

package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.madcast.client.Algorithm;
import org.madcast.client.protocol.SimulatedJob.Shape;
import org.madcast.client.protocol.SimulatedJob.Step;
import org.madcast.netsim.FaultPlan;
import org.madcast.netsim.HostModel;
import org.madcast.netsim.LinkModel;

/**
 * A switch port that is slower than the root's and has room for little: what does not fit is
 * dropped, and is asked for no faster than the port passes it.
 */
class SlowPortTest {

    private static final int RANKS = 8;
    private static final int SLOW = 3;
    private static final int MESSAGES = 10;
    private static final int BYTES = 1 << 20;
    private static final int FRAGMENTS = MESSAGES * 731;
    private static final long LIMIT_NS = 600_000_000_000L;

    @ParameterizedTest
    @CsvSource({"10, 32", "10, 128", "50, 32", "50, 128", "90, 32", "90, 128"})
    void causesNoStormOfRepairs(long megabits, int queueKib) {
        long rate = megabits * 1_000_000;
        HostModel slow =
                new HostModel(
                        new LinkModel(rate, 20_000, 64 << 10),
                        new LinkModel(rate, 20_000, (long) queueKib << 10),
                        4 << 20,
                        0);
        List<Step> script = Collections.nCopies(MESSAGES, new Step(0, BYTES, Algorithm.ONCE));
        SimulatedJob job =
                new SimulatedJob(
                                RANKS,
                                script,
                                FaultPlan.of(),
                                1,
                                Shape.fastEthernet()
                                        .joined()
                                        .with(SLOW, slow)
                                        .thinking(rank -> 10_000_000))
                        .run(LIMIT_NS)
                        .assertAllComplete();
        long repairs = 0;
        for (int rank = 0; rank < RANKS; rank++) {
            repairs += job.engine(rank).counters().repairsSent();
        }
        assertThat(repairs).isPositive().isLessThan(3L * FRAGMENTS / 2);
        double wireNs = 8.0 * MESSAGES * BYTES * 1.07e9 / rate;
        assertThat((double) job.lastCompletionNs()).isLessThan(2 * wireNs);
    }
}

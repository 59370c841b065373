package org.madcast.agent.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.madcast.lab.Lab;

/** What the tests of faults have in common: how long a fault lasts, and what must come of it. */
final class Faults {

    private Faults() {}

    /** Lets a fault last: its duration is what the test is about. */
    static void last(Duration time) {
        long endNs = System.nanoTime() + time.toNanos();
        for (long leftNs = time.toNanos(); leftNs > 0; leftNs = endNs - System.nanoTime()) {
            LockSupport.parkNanos(leftNs);
        }
    }

    /**
     * A host stands still for two seconds in the middle of what all ranks do, which waits for it.
     */
    static void standStill(Lab lab, int host, FaultJob job) throws Exception {
        last(Duration.ofMillis(300));
        lab.pause(host);
        last(Duration.ofSeconds(2));
        assertThat(job.hasAnswer()).isFalse();
        lab.resume(host);
    }

    /** Every rank got every byte. */
    static void assertAllRight(List<Outcome> outcomes, int ranks) {
        assertThat(outcomes).hasSize(ranks).allMatch(Outcome::isRight);
    }

    /** Every rank that is left ends with the exception that names this one as lost. */
    static void assertAllMiss(List<Outcome> outcomes, int ranks, int lost) {
        assertThat(outcomes)
                .hasSize(ranks - 1)
                .allMatch(outcome -> outcome.failure().equals("RankLostException"))
                .allMatch(outcome -> outcome.lostRank() == lost)
                .allMatch(outcome -> outcome.text().contains("rank " + lost));
    }
}

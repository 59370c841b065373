package org.madcast.agent.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.agent.system.NeedsLab;
import org.madcast.lab.Lab;

/**
 * The root comes first and the others late, in the lab, with the service. Ranks buffer what comes
 * before they call, so lateness costs nothing and no delay is advised, be the network lossy or not,
 * nor where they compute on all processors until they call and the kernel keeps next to nothing for
 * them: much is lost then, but repaired by the time at which they call. Where nobody can repair
 * until they call, a delay is advised, and spares time.
 */
@Tag("slow")
class RootDelayIT {

    private static final int RANKS = 4;
    private static final int BYTES = 64 * 1024;
    private static final int SHORT_BYTES = 16 * 1024;
    private static final Duration LATE = Duration.ofMillis(8);
    private static final Duration LIMIT = Duration.ofMinutes(2);

    /** Reports come every 5 s and are rolled up every 10 s: some three observations. */
    private static final int MESSAGES = 1200;

    private static final int LEARNING = 1800;
    private static final int COMPUTING = 3;
    private static final int STANDING = FaultJob.STANDING_STILL;
    private static final Duration ADVICE = Duration.ofMinutes(3);

    private static final int TWO_STANDING = 3;

    private static final int FEW = 50;
    private static final double QUICKER = 0.8;
    private static final int MEASURED = 300;

    @TempDir private static Path directory;
    private static ServedLab served;
    private static Lab lab;

    @BeforeAll
    static void start() throws Exception {
        NeedsLab.assumeAvailable();
        served = ServedLab.start(RANKS, directory);
        lab = served.lab();
    }

    @AfterAll
    static void end() {
        if (served != null) {
            served.close();
        }
    }

    @Test
    void noDelayIsAdvisedWhereReceiversBuffer() throws Exception {
        try (FaultJob job = FaultJob.start(lab, RANKS, served.variables("buffering"))) {
            job.beginLate(MESSAGES, BYTES, LATE, 0);
            Faults.assertAllRight(job.await(LIMIT), RANKS);
            lab.hosts().forEach(host -> lab.setLoss(host.index(), 1));
            job.beginLate(MESSAGES, BYTES, LATE, 0);
            Faults.assertAllRight(job.await(LIMIT), RANKS);
            lab.hosts().forEach(host -> lab.setLoss(host.index(), 0));
            assertThat(served.delay("buffering", "64 to 128 KiB").advised()).isEqualTo("none");
        }
    }

    /**
     * Where the kernel keeps next to nothing and all processors compute, what is late is lost. But
     * a rank's own thread asks for it again while the program computes: waiting for all would not
     * be quicker, and is not advised.
     */
    @Test
    void noDelayIsAdvisedWhereLateReceiversLoseMuchButWaitingWouldCostMore() throws Exception {
        double advised = meanUs(served.variables("advised"), RANKS, LEARNING, COMPUTING) / 1000;
        double without = meanUs(pinned("pinned-0ms", "0ms"), RANKS, 1, COMPUTING) / 1000;
        double waiting = meanUs(pinned("pinned-9ms", "9ms"), RANKS, 1, COMPUTING) / 1000;
        System.out.printf(
                "a call takes %.1f ms without a delay, %.1f ms with 9 ms, %.1f ms as advised%n",
                without, waiting, advised);
        assertThat(served.delay("advised", "64 to 128 KiB").advised()).isEqualTo("none");
        assertThat(waiting).isGreaterThan(0.9 * without);
    }

    /**
     * Where no thread of a late receiver runs until it calls, as when the program collects garbage,
     * and the kernel keeps next to nothing, a short message is lost in part by all, and it takes
     * long until that is noticed and repaired: then it pays to wait, and the service finds out.
     */
    @ParameterizedTest
    @ValueSource(ints = {TWO_STANDING, RANKS})
    void aDelayIsAdvisedAndSparesTimeWhereReceiversStandStill(int ranks) throws Exception {
        String name = "still-" + ranks;
        double without = meanUs(pinned(name + "-0ms", "0ms"), ranks, FEW, STANDING) / 1000;
        try (FaultJob job = start(served.variables(name), ranks)) {
            late(job, FEW, STANDING);
            ServedLab.RootDelay before;
            ServedLab.RootDelay after = served.delay(name, "16 to 32 KiB");
            double advised;
            long endNs = System.nanoTime() + ADVICE.toNanos();
            do {
                before = after;
                advised = late(job, MEASURED, STANDING) / 1000;
                after = served.delay(name, "16 to 32 KiB");
                System.out.printf(
                        "%d ranks: a call takes %.1f ms without a delay, %.1f ms when advised: %s%n",
                        ranks, without, advised, after);
            } while (!(before.isInForce() && after.isInForce() && advised < QUICKER * without)
                    && System.nanoTime() < endNs);
            assertThat(after.isInForce()).as(after.toString()).isTrue();
            assertThat(advised).isLessThan(QUICKER * without);
        }
    }

    @Test
    void aDelaySparesTimeWhereReceiversStandStill() throws Exception {
        double without = meanUs(pinned("all-0ms", "0ms"), RANKS, FEW, STANDING) / 1000;
        double waiting = meanUs(pinned("all-8ms", "8ms"), RANKS, FEW, STANDING) / 1000;
        System.out.printf(
                "a call takes %.1f ms without a delay, %.1f ms with 8 ms%n", without, waiting);
        assertThat(waiting).isLessThan(QUICKER * without);
    }

    private static Map<String, String> pinned(String job, String delay) {
        Map<String, String> pinned = served.variables(job);
        pinned.put("MADCAST_ROOT_WAIT_TIME", delay);
        return pinned;
    }

    /** Ranks for which the kernel keeps next to nothing. */
    private static FaultJob start(Map<String, String> variables, int ranks) throws Exception {
        variables.put("MADCAST_RECEIVE_BUFFER", "8KiB");
        return FaultJob.start(lab, ranks, variables);
    }

    /** What a call takes a rank on average, when so many messages have gone before. */
    private static double meanUs(Map<String, String> variables, int ranks, int before, int threads)
            throws Exception {
        try (FaultJob job = start(variables, ranks)) {
            late(job, before, threads);
            double meanUs = late(job, MEASURED, threads);
            assertThat(job.total("fragmentsLost")).isGreaterThan(MEASURED);
            return meanUs;
        }
    }

    /** Receivers that are late, computing or standing still; a call's mean time. */
    private static double late(FaultJob job, int count, int threads) throws Exception {
        job.beginLate(count, threads == STANDING ? SHORT_BYTES : BYTES, LATE, threads);
        List<Outcome> outcomes = job.await(LIMIT);
        Faults.assertAllRight(outcomes, job.size());
        return outcomes.stream().mapToLong(Outcome::longestMs).average().orElseThrow();
    }
}

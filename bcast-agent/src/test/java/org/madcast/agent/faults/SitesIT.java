package org.madcast.agent.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.madcast.agent.system.NeedsLab;

/**
 * Siebert's counterexample (seed 000, section 3.2.1) with real ranks, in the lab, with the service:
 * two broadcasts in one loop, of the same size and from the same root, that behave oppositely. The
 * program names them, so each is counted and advised apart.
 */
class SitesIT {

    private static final int RANKS = 3;
    private static final int BYTES = 16 * 1024;
    private static final int FEW = 30;
    private static final Duration ADVICE = Duration.ofMinutes(3);
    private static final Duration LATE = Duration.ofMillis(8);
    private static final Duration LIMIT = Duration.ofMinutes(2);

    @TempDir private static Path directory;
    private static ServedLab served;

    @BeforeAll
    static void start() throws Exception {
        NeedsLab.assumeAvailable();
        served = ServedLab.start(RANKS, directory);
    }

    @AfterAll
    static void end() {
        if (served != null) {
            served.close();
        }
    }

    private static FaultJob start(String name) throws Exception {
        Map<String, String> variables = served.variables(name);
        variables.put("MADCAST_RECEIVE_BUFFER", "8KiB");
        return FaultJob.start(served.lab(), RANKS, variables);
    }

    private static void run(FaultJob job) throws Exception {
        job.beginSites(FEW, BYTES, LATE);
        Faults.assertAllRight(job.await(LIMIT), RANKS);
    }

    /** How many ranks completed a site's broadcasts, of any algorithm. */
    private static long completed(String page, String site) {
        Matcher row =
                Pattern.compile(
                                "<td>" + site + "</td>.*?<td class=\"num\">([^<]*)<",
                                Pattern.DOTALL)
                        .matcher(page);
        long sum = 0;
        while (row.find()) {
            sum += Long.parseLong(row.group(1).replaceAll("\\D", ""));
        }
        return sum;
    }

    private static String broadcasts(String page) {
        return page.substring(
                page.indexOf("<h2>Broadcasts</h2>"), page.indexOf("<h2>Root delay</h2>"));
    }

    @Test
    void eachSiteIsCountedApart() throws Exception {
        String table;
        try (FaultJob job = start("counted")) {
            run(job);
            // Each rank reports every five seconds; what it says as it leaves may come too late.
            long endNs = System.nanoTime() + LIMIT.toNanos();
            do {
                Thread.sleep(200);
                table = broadcasts(served.communicator("counted"));
            } while (completed(table, "16 to 32 KiB pivots") + completed(table, "16 to 32 KiB rows")
                            < 2L * FEW * RANKS
                    && System.nanoTime() < endNs);
            job.leave(LIMIT);
        }
        table = broadcasts(served.communicator("counted"));
        assertThat(completed(table, "16 to 32 KiB pivots")).isEqualTo((long) FEW * RANKS);
        assertThat(completed(table, "16 to 32 KiB rows")).isEqualTo((long) FEW * RANKS);
        assertThat(completed(table, "16 to 32 KiB")).isZero();
    }

    @Test
    @Tag("slow")
    void onlyTheRootWhoseReceiversStandStillIsAdvisedToWait() throws Exception {
        try (FaultJob job = start("advised")) {
            ServedLab.RootDelay pivots;
            long endNs = System.nanoTime() + ADVICE.toNanos();
            do {
                run(job);
                pivots = served.delay("advised", "16 to 32 KiB pivots");
            } while (!pivots.isInForce() && System.nanoTime() < endNs);
            ServedLab.RootDelay rows = served.delay("advised", "16 to 32 KiB rows");
            System.out.println("pivots " + pivots + ", rows " + rows);
            assertThat(pivots.isInForce()).as(pivots.toString()).isTrue();
            assertThat(rows.advised()).as(rows.toString()).isEqualTo("none");
            assertThat(rows.now()).isEqualTo("none");
        }
    }
}

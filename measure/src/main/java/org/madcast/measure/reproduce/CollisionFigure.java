package org.madcast.measure.reproduce;

import java.util.List;
import org.madcast.simulator.DrawnGroups;

/**
 * Of seed 000, section 1.7.2: how often jobs that draw their groups at random draw the same one.
 */
final class CollisionFigure {

    /** The thesis's table 1: that among 200 communicators some two draw the same, in a billion. */
    private static final double PUBLISHED_OF_200 = 3.573481;

    private static final double BILLION = 1e9;
    private static final double PERCENT = 100;

    /** Enough jobs for some pairs of them to be alike in address and port. */
    private static final int MANY_JOBS = 1 << 22;

    private static final List<Integer> JOBS = List.of(200, 500, 1000, 2000, 5000);
    private static final int TRIALS = 300;
    private static final int COMPARED = 2000;
    private static final int SEED = 1;

    private CollisionFigure() {}

    static Figure figure() {
        return new Figure(
                "000-table-1",
                "how often groups drawn at random collide",
                "none; here: each job's group drawn by the code that ranks without a service draw"
                        + " with, from a seed",
                "jobs; percent of trials in which two have the same address",
                "Both have 28,000 ports. The thesis takes 200 million addresses that IANA had reserved; here there"
                        + " are 3.6 million, those for local use that are in no scope from which services"
                        + " lease (RFC 2365). So two jobs are 55 times as likely to draw the same, and"
                        + " among 200 jobs that happens once in five million times. There are as many"
                        + " equal pairs as the birthday bound says of draws that are even. Jobs with the"
                        + " same address and different ports do not meet, but their hosts hear both. Jobs"
                        + " with the same group do not mix either: their datagrams carry different tokens,"
                        + " and a rank that sees a foreign one asks for another group.",
                CollisionFigure::run);
    }

    private static double bound(int jobs, double groups) {
        return jobs * (jobs - 1.0) / 2 / groups;
    }

    private static void run(Finding finding) {
        DrawnGroups drawn = new DrawnGroups(SEED);
        double all = (double) DrawnGroups.ADDRESSES * DrawnGroups.PORTS;
        finding.add(
                "200 jobs: that two draw the same, of a billion times",
                "",
                PUBLISHED_OF_200,
                BILLION * bound(200, all),
                Expectation.SHOWN);
        finding.add(
                "pairs of 4,194,304 jobs with the same group (published: the bound)",
                "",
                bound(MANY_JOBS, all),
                (double) DrawnGroups.samePairs(drawn.of(MANY_JOBS)),
                Expectation.NEAR);
        finding.progress(0.5);
        for (int jobs : JOBS) {
            double bound = PERCENT * -Math.expm1(-bound(jobs, (double) DrawnGroups.ADDRESSES));
            double found = percentOfTrials(drawn, jobs);
            finding.place("drawn", jobs, found);
            finding.place("birthday bound", jobs, bound);
            if (jobs == COMPARED) {
                finding.add(
                        jobs + " jobs: that two have the same address (published: the bound)",
                        "%",
                        bound,
                        found,
                        Expectation.NEAR);
            }
            finding.progress(0.5 + 0.5 * (JOBS.indexOf(jobs) + 1) / JOBS.size());
        }
    }

    /** In how many trials two jobs have the same address. */
    private static double percentOfTrials(DrawnGroups drawn, int jobs) {
        int times = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            times += DrawnGroups.sameAddresses(drawn.of(jobs)) > 0 ? 1 : 0;
        }
        return PERCENT * times / TRIALS;
    }
}

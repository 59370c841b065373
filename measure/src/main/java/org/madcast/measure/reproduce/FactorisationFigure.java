package org.madcast.measure.reproduce;

import org.madcast.client.Algorithm;
import org.madcast.simulator.RoundProgram;
import org.madcast.simulator.RoundTimes;
import org.madcast.simulator.SimulatedJob;
import org.madcast.simulator.Ways;

/**
 * Of seed 000, section 4.3.1: HPL's LU factorisation with several broadcasts (figures 21 and 22,
 * table 2). One of the eight rows of the grid of processes is simulated in rounds at three stages
 * of the factorisation; Simpson's rule makes a whole run of them.
 */
final class FactorisationFigure {

    private static final double SECOND = 1e9;
    private static final double MS = 1e6;

    // Table 2 and the text below it.
    private static final int COLUMNS = 56_320;
    private static final int WIDTH = 40;
    private static final int GRID = 8;
    private static final double MULTIPLYING_S = 2925;
    private static final double OTHERS_S = 4057.23 - MULTIPLYING_S - 532.89;

    private static final int BLOCKS = COLUMNS / WIDTH;

    /** Twice around the row, so that each rank is the root twice. */
    private static final int ROUNDS = 2 * GRID;

    private static final double[] SIMPSON = {1 / 6.0, 4 / 6.0, 1 / 6.0};

    /** What a floating point operation takes a rank, so that all multiplications take as long. */
    private static final double FLOP_NS =
            MULTIPLYING_S * SECOND / (2.0 / 3 * Math.pow(COLUMNS, 3) / (GRID * GRID));

    private static final Cluster CLIC = Cluster.FAST_ETHERNET;

    private FactorisationFigure() {}

    static Figure figure() {
        return new Figure(
                "000-21",
                "HPL with several broadcasts (figures 21 and 22, table 2)",
                "there: HPL on 64 nodes of CLiC, N = 56320, NB = 40, a grid of 8 x 8; here: the panels"
                        + " of one row of the grid, broadcast by the engines on the same cables"
                        + " simulated, and between them what computing the thesis's multiplications"
                        + " take",
                "percent of the columns done; mean ms of a rank in the broadcast of a panel",
                "The owner of a panel factorises it and broadcasts it; each rank then updates its columns, of which"
                        + " some have one block more than others, and calls the next broadcast. 'Original' is"
                        + " a binomial tree of whole messages, '1 ring' HPL's ring of whole messages. Nothing"
                        + " else is simulated: exchanges of rows in the columns of the grid, which are part"
                        + " of the thesis's broadcast times as far as ranks wait for each other, noise, and"
                        + " what TCP took of a Pentium III's time. So ranks are in broadcasts for less"
                        + " time here. What is neither multiplication nor broadcast is added to whole runs as it was"
                        + " measured with ipmc, 599 s. Handing on goes on while a rank computes; in the"
                        + " thesis it was part of the call, so tree and ring lose more there. The thesis gives neither N nor the grid of figures 21"
                        + " and 22; there as here a panel goes to 8 ranks.",
                FactorisationFigure::run);
    }

    /** The rounds from a block on. */
    private record Panels(int first) implements RoundProgram {

        private static double rows(int block) {
            return (double) (COLUMNS - block * WIDTH) / GRID;
        }

        /** How many blocks of a rank are behind one. */
        private static int behind(int block, int rank) {
            int number = 0;
            for (int next = block + 1; next < BLOCKS; next++) {
                number += next % GRID == rank ? 1 : 0;
            }
            return number;
        }

        @Override
        public long computingNs(int rank, int round) {
            int block = first + round;
            double columns = (double) WIDTH * behind(Math.max(0, block - 1), rank);
            double updating = 2.0 * WIDTH * rows(block) * columns;
            double factorising = rank == root(round) ? rows(block) * WIDTH * WIDTH : 0;
            return Math.round((updating + factorising) * FLOP_NS);
        }

        @Override
        public int root(int round) {
            return (first + round) % GRID;
        }

        @Override
        public int bytes(int round) {
            return (int) Math.ceil(rows(first + round) + WIDTH) * WIDTH * Double.BYTES;
        }
    }

    /** What a whole run takes, in seconds. */
    private record Run(double wholeS, double heldS) {}

    private static void run(Finding finding) {
        Run original = run(finding, "original", Ways.unsegmented(), Algorithm.BINOMIAL, 0);
        Run ring = run(finding, "1 ring", Ways.unsegmented(), Algorithm.CHAIN, 1);
        Run ipmc = run(finding, "ipmc", Ways.byRank(), Algorithm.IPMC, 2);
        Run once = run(finding, "once", Ways.byRank(), Algorithm.ONCE, 3);
        finding.add("in broadcasts: original", "s", 593.37, original.heldS, Expectation.SHOWN);
        finding.show("in broadcasts: 1 ring", "s", ring.heldS);
        finding.add("in broadcasts: ipmc", "s", 532.89, ipmc.heldS, Expectation.SHOWN);
        finding.show("in broadcasts: once", "s", once.heldS);
        finding.add(
                "in broadcasts: original over ipmc (table 2)",
                "",
                593.37 / 532.89,
                original.heldS / ipmc.heldS,
                Expectation.AT_LEAST);
        finding.add(
                "in broadcasts: original over ipmc (figures 21 and 22)",
                "",
                1798.2 / 1508.5,
                original.heldS / ipmc.heldS,
                Expectation.AT_LEAST);
        finding.add(
                "whole run: original over ipmc",
                "",
                4197.13 / 4057.23,
                original.wholeS / ipmc.wholeS,
                Expectation.AT_LEAST);
        finding.add(
                "whole run: 1 ring over ipmc",
                "",
                4137.43 / 4057.23,
                ring.wholeS / ipmc.wholeS,
                Expectation.AT_LEAST);
        finding.show("whole run: original over once", "", original.wholeS / once.wholeS);
        finding.show("whole run: 1 ring over once", "", ring.wholeS / once.wholeS);
    }

    private static Run run(
            Finding finding, String name, Ways ways, Algorithm algorithm, int number) {
        double wholeNs = 0;
        double heldNs = 0;
        try (SimulatedJob job = new SimulatedJob(CLIC.settings(GRID, 0), ways)) {
            for (int stage = 0; stage < SIMPSON.length; stage++) {
                int first = stage * (BLOCKS - ROUNDS) / (SIMPSON.length - 1);
                RoundTimes times = job.rounds(algorithm, new Panels(first), ROUNDS);
                wholeNs += SIMPSON[stage] * BLOCKS * times.lastNs() / ROUNDS;
                heldNs += SIMPSON[stage] * BLOCKS * times.heldNs() / ROUNDS;
                finding.place(name, 100.0 * first / BLOCKS, times.heldNs() / ROUNDS / MS);
                finding.progress((number + (stage + 1.0) / SIMPSON.length) / 4);
            }
        }
        return new Run(wholeNs / SECOND + OTHERS_S, heldNs / SECOND);
    }
}

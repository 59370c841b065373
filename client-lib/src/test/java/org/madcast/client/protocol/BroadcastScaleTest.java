package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.client.wire.DatagramLayout;
import org.madcast.netsim.NodeCounters;

/** What does not grow with the number of ranks. */
class BroadcastScaleTest {

    private static final int PAYLOAD_BYTES = 1472 - DatagramLayout.HEADER_BYTES;

    private static SimulatedJob run(int ranks, int bytes, int windowFragments) {
        return QuietJob.run(ranks, bytes, QuietJob.shape().withWindow(windowFragments), 1);
    }

    private static long tookNs(int ranks, int bytes) {
        return QuietJob.tookNs(run(ranks, bytes, 64));
    }

    /** A small message may wait for one more small datagram here and there, but not for ranks. */
    @ParameterizedTest
    @ValueSource(ints = {1, 1 << 16, 1 << 18})
    void theTimeOfABroadcastDoesNotGrowWithTheRanks(int bytes) {
        long fewNs = tookNs(4, bytes);
        for (int ranks : new int[] {16, 64, 342}) {
            assertThat(tookNs(ranks, bytes))
                    .as(ranks + " ranks")
                    .isLessThan(fewNs * 103 / 100 + 50_000);
        }
    }

    @Test
    @Tag("slow")
    void norDoesItFor4096Ranks() {
        for (int bytes : new int[] {1, 1 << 16}) {
            long fewNs = tookNs(4, bytes);
            assertThat(tookNs(4096, bytes)).isLessThan(fewNs * 103 / 100 + 50_000);
        }
    }

    /**
     * In each quarter of a window a rank hears one report of each child in the tree, sends one, and
     * hears or sends one announcement; some are repeated, and life signs come in between.
     */
    @ParameterizedTest
    @ValueSource(ints = {4, 16, 64, 342})
    void theBusiestRanksMessagesForEachWindowAreBounded(int ranks) {
        assertBusiestIsBounded(ranks, 64, 10);
    }

    @Test
    @Tag("slow")
    void alsoAmong4096Ranks() {
        assertBusiestIsBounded(4096, 16, 4);
    }

    private static void assertBusiestIsBounded(int ranks, int windowFragments, int windows) {
        long few = controlOfTheBusiest(ranks, windowFragments, 2);
        long many = controlOfTheBusiest(ranks, windowFragments, windows);
        long perQuarter = 2 * (TreePlace.ARITY + 2L);
        assertThat(many - few).isLessThan(4 * (windows - 2L) * perQuarter);
    }

    /** All that a rank sends and hears but the fragments themselves. */
    private static long controlOfTheBusiest(int ranks, int windowFragments, int windows) {
        int fragments = windows * windowFragments;
        SimulatedJob job = run(ranks, fragments * PAYLOAD_BYTES, windowFragments);
        long most = 0;
        for (int rank = 0; rank < ranks; rank++) {
            NodeCounters counters = job.simulation().counters(rank);
            long all = counters.sentDatagrams() + counters.receivedDatagrams();
            most = Math.max(most, all - fragments);
        }
        return most;
    }
}

package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.madcast.client.protocol.Engines.Sent;
import org.madcast.client.wire.DatagramLayout;
import org.madcast.client.wire.DatagramType;

/** Rank 1 of 7, with parent 0 and children 5 and 6, has consumed ten fragments and leaves. */
class LeaveProtocolTest {

    private static final long CONSUMED = 10;
    private static final long DRAIN_NS = 1_000 * Engines.MS;

    private final ControlQueue control = Engines.controlQueue(1);
    private final ProgressTree tree = new ProgressTree(Engines.config(1, 7), 0);
    private final LeaveProtocol farewell = new LeaveProtocol(tree, control, DRAIN_NS);

    @BeforeEach
    void hasConsumed() {
        tree.consumed(0, CONSUMED);
    }

    private void advance(long nowNs) {
        farewell.advance(nowNs, CONSUMED, false);
    }

    private void watermarkArrives() {
        tree.onWatermark(0, CONSUMED, GroupState.MULTICAST, false);
    }

    private void neighboursLeave() {
        for (int neighbour : new int[] {0, 5, 6}) {
            tree.onBye(0, neighbour, 0);
        }
    }

    @Test
    void whoHasNotBegunStays() {
        watermarkArrives();
        neighboursLeave();
        advance(10 * DRAIN_NS);
        assertThat(farewell.hasBegun()).isFalse();
        assertThat(farewell.isGone()).isFalse();
        assertThat(control.isEmpty()).isTrue();
        assertThat(farewell.nextDueNs()).isEqualTo(ProtocolEngine.NO_DEADLINE);
    }

    /** Somebody may still need a repair from here. */
    @Test
    void nobodyIsToldBeforeAllHaveConsumed() {
        farewell.begin(0);
        advance(0);
        advance(DRAIN_NS);
        assertThat(control.isEmpty()).isTrue();
        watermarkArrives();
        advance(DRAIN_NS);
        assertThat(Engines.poll(control))
                .hasSize(3)
                .allSatisfy(bye -> {
                    assertThat(bye.type()).isEqualTo(DatagramType.BYE);
                    assertThat(DatagramLayout.sequence(bye.datagram())).isEqualTo(10);
                })
                .extracting(Sent::destination)
                .containsExactlyInAnyOrder(0, 5, 6);
        assertThat(farewell.isGone()).isFalse();
    }

    @Test
    void patienceEnds() {
        farewell.begin(0);
        advance(0);
        assertThat(farewell.nextDueNs()).isEqualTo(DRAIN_NS + 1);
        advance(DRAIN_NS + 1);
        assertThat(Engines.poll(control)).hasSize(3);
    }

    @Test
    void theGoodByeIsRepeatedUntilAllNeighboursHaveSaidTheirs() {
        watermarkArrives();
        farewell.begin(0);
        advance(0);
        for (int i = 1; i < 5; i++) {
            Engines.poll(control);
            long dueNs = farewell.nextDueNs();
            advance(dueNs - 1);
            assertThat(control.isEmpty()).isTrue();
            advance(dueNs);
            assertThat(control.isEmpty()).isFalse();
        }
        assertThat(farewell.isGone()).isFalse();
        neighboursLeave();
        advance(farewell.nextDueNs() - 1);
        assertThat(farewell.isGone()).isTrue();
    }

    @Test
    void neighboursThatNeverAnswerKeepNobodyForLong() {
        watermarkArrives();
        farewell.begin(0);
        advance(0);
        long nowNs = 0;
        while (!farewell.isGone()) {
            nowNs = farewell.nextDueNs();
            assertThat(nowNs).isLessThan(DRAIN_NS);
            advance(nowNs);
        }
        assertThat(farewell.nextDueNs()).isEqualTo(ProtocolEngine.NO_DEADLINE);
    }

    @Test
    void afterAFailureThereIsNoGoodBye() {
        farewell.begin(0);
        farewell.advance(0, CONSUMED, true);
        assertThat(farewell.isGone()).isTrue();
        assertThat(control.isEmpty()).isTrue();
    }

    @Test
    void beginningTwiceChangesNothing() {
        farewell.begin(0);
        advance(0);
        farewell.begin(5);
        assertThat(farewell.nextDueNs()).isEqualTo(DRAIN_NS + 1);
    }
}

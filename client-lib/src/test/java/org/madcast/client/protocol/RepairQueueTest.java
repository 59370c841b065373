package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RepairQueueTest {

    private static final long LINGER_NS = RepairQueue.LINGER_NS;
    private static final long GROUP_HOLD_OFF_NS = RepairQueue.GROUP_HOLD_OFF_NS;
    private static final long HOLD_OFF_NS = RepairQueue.HOLD_OFF_NS;
    private static final int GROUP = TransmitSlot.GROUP;

    private final FragmentRing ring = Fragments.ring();
    private final RepairQueue desk = new RepairQueue(ring);
    private final TransmitSlot slot = new TransmitSlot();

    @BeforeEach
    void eightFragmentsAreHere() {
        for (long sequence = 0; sequence < 8; sequence++) {
            Fragments.put(ring, sequence);
        }
    }

    private void assertNext(long nowNs, long sequence, int destination) {
        assertThat(desk.poll(nowNs, slot)).isEqualTo(sequence);
        assertThat(slot.destination()).isEqualTo(destination);
    }

    private void assertNothing(long nowNs) {
        assertThat(desk.poll(nowNs, slot)).isEqualTo(-1);
    }

    @Test
    void requestsAreServedInOrder() {
        desk.request(0, 5, 2, 0, false);
        desk.request(0, 3, 4, 0, false);
        assertNext(0, 5, 2);
        assertNext(0, 3, 4);
        assertNothing(0);
        assertThat(desk.nextDueNs()).isEqualTo(ProtocolEngine.NO_DEADLINE);
    }

    @Test
    void aSecondAskerWithinTheLingerMakesItAMulticast() {
        desk.request(0, 5, 2, LINGER_NS, true);
        assertNothing(LINGER_NS - 1);
        assertThat(desk.dueAfter(0)).isEqualTo(LINGER_NS);
        desk.request(10, 5, 3, LINGER_NS, true);
        desk.request(20, 5, 4, LINGER_NS, true);
        assertNext(LINGER_NS, 5, GROUP);
        assertNothing(LINGER_NS);
    }

    @Test
    void theSameAskerTwiceStaysAUnicast() {
        desk.request(0, 5, 2, LINGER_NS, true);
        desk.request(10, 5, 2, LINGER_NS, true);
        assertNext(LINGER_NS, 5, 2);
    }

    @Test
    void withoutAGroupTheSecondAskerWaitsForItsNextRequest() {
        desk.request(0, 5, 2, 0, false);
        desk.request(0, 5, 3, 0, false);
        assertNext(0, 5, 2);
        assertNothing(0);
        desk.request(1, 5, 3, 0, false);
        assertNext(1, 5, 3);
    }

    @Test
    void whoWasJustServedIsNotServedAgainBeforeTheHoldOffEnds() {
        desk.request(0, 5, 2, 0, true);
        assertNext(0, 5, 2);
        desk.request(HOLD_OFF_NS - 1, 5, 2, 0, true);
        assertNothing(HOLD_OFF_NS - 1);
        desk.request(HOLD_OFF_NS, 5, 2, 0, true);
        assertNext(HOLD_OFF_NS, 5, 2);
    }

    @Test
    void anotherAskerShortlyAfterAUnicastGetsAMulticast() {
        desk.request(0, 5, 2, 0, true);
        assertNext(0, 5, 2);
        desk.request(1_000, 5, 3, 0, true);
        assertNext(1_000, 5, GROUP);
    }

    @Test
    void aMulticastServesEverybodyForTheHoldOff() {
        desk.request(0, 5, GROUP, 0, true);
        assertNext(0, 5, GROUP);
        for (int asker = 1; asker < 6; asker++) {
            desk.request(HOLD_OFF_NS - 1, 5, asker, 0, true);
        }
        assertNothing(HOLD_OFF_NS - 1);
    }

    /** Whoever still asks does not hear the group. */
    @Test
    void afterTwoMulticastsOfAFragmentOnlyUnicastIsTried() {
        long nowNs = 0;
        for (int i = 0; i < 2; i++) {
            desk.request(nowNs, 5, GROUP, 0, true);
            assertNext(nowNs, 5, GROUP);
            nowNs += GROUP_HOLD_OFF_NS;
        }
        desk.request(nowNs, 5, GROUP, 0, true);
        assertNothing(nowNs);
        desk.request(nowNs, 5, 3, LINGER_NS, true);
        desk.request(nowNs, 5, 4, LINGER_NS, true);
        assertNext(nowNs + LINGER_NS, 5, 3);
        desk.request(nowNs + LINGER_NS, 5, 4, 0, true);
        assertNext(nowNs + LINGER_NS, 5, 4);
    }

    @Test
    void theSlotsNextFragmentMayBeMulticastAgain() {
        for (int i = 0; i < 2; i++) {
            desk.request(i * GROUP_HOLD_OFF_NS, 5, GROUP, 0, true);
            assertNext(i * GROUP_HOLD_OFF_NS, 5, GROUP);
        }
        long next = 5 + Fragments.CAPACITY;
        Fragments.put(ring, next);
        desk.request(3 * GROUP_HOLD_OFF_NS, next, GROUP, 0, true);
        assertNext(3 * GROUP_HOLD_OFF_NS, next, GROUP);
    }

    @Test
    void theSlotsNextFragmentIsNotHeldOffForItsPredecessor() {
        desk.request(0, 5, 2, 0, true);
        assertNext(0, 5, 2);
        long next = 5 + Fragments.CAPACITY;
        Fragments.put(ring, next);
        desk.request(1, next, 2, 0, true);
        assertNext(1, next, 2);
    }

    @Test
    void aFragmentOverwrittenBeforeItsTurnIsNotSent() {
        desk.request(0, 5, 2, LINGER_NS, true);
        Fragments.put(ring, 5 + Fragments.CAPACITY);
        assertNothing(LINGER_NS);
        desk.request(LINGER_NS, 5 + Fragments.CAPACITY, 3, 0, true);
        assertNext(LINGER_NS, 5 + Fragments.CAPACITY, 3);
    }

    @Test
    void whoAskedForWhatWasMissingHereGetsItOnArrival() {
        desk.pend(9, 4);
        assertNothing(0);
        Fragments.put(ring, 9);
        desk.onArrival(1, 9, false);
        assertNext(1, 9, 4);
        desk.onArrival(2, 9, false);
        assertNothing(2);
    }

    @Test
    void aMulticastThatBringsItServesThePendedToo() {
        desk.pend(9, 4);
        Fragments.put(ring, 9);
        desk.onArrival(1, 9, true);
        assertNothing(1);
    }

    @Test
    void aForgottenSlotOwesNothing() {
        desk.pend(9, 4);
        desk.forgetSlot(9 + Fragments.CAPACITY);
        Fragments.put(ring, 9);
        desk.onArrival(1, 9, false);
        assertNothing(1);
    }
}

package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.madcast.client.protocol.Engines.Sent;
import org.madcast.client.wire.DatagramLayout;
import org.madcast.client.wire.DatagramType;

/** Rank 4 of 6 waits for a message of rank 2; its repairs come from rank 3. */
class WaitMonitorTest {

    private static final int ROOT = 2;
    private static final int SOURCE = 3;
    private static final long DEATH_NS = Engines.config(4, 6).deathTimeoutNs();

    private final ControlQueue control = Engines.controlQueue(4);
    private final WaitMonitor monitor = new WaitMonitor(Engines.config(4, 6), control);
    private final Call call =
            new Call(
                    0,
                    0,
                    Engines.config(4, 6),
                    new MessageShape(Engines.DATAGRAM_BYTES),
                    new Call.Wanted(Arena.ofAuto().allocate(640), ROOT, 0, 0, 0),
                    0);

    @BeforeEach
    void begin() {
        monitor.onCall(0, false);
    }

    private boolean timeout(long nowNs) {
        return monitor.onTimeout(nowNs, call, SOURCE, 0);
    }

    private void fragmentArrives(long nowNs) {
        MemorySegment fragment = Fragments.of(0, ROOT, org.madcast.client.Algorithm.ONCE);
        monitor.onFragment(nowNs);
        call.takeNext(fragment);
    }

    @Test
    void nothingIsAskedBeforeItsTime() {
        assertThat(timeout(monitor.nextDueNs(call) - 1)).isFalse();
        assertThat(control.isEmpty()).isTrue();
    }

    @Test
    void beforeAnythingCameTheRootIsAskedWithWhatThisRankCalled() {
        timeout(monitor.nextDueNs(call));
        List<Sent> sent = Engines.poll(control);
        assertThat(sent).hasSize(1);
        assertThat(sent.getFirst().type()).isEqualTo(DatagramType.PING);
        assertThat(sent.getFirst().destination()).isEqualTo(ROOT);
        assertThat(DatagramLayout.messageBytes(sent.getFirst().datagram())).isEqualTo(640);
        assertThat(DatagramLayout.root(sent.getFirst().datagram())).isEqualTo(ROOT);
    }

    @Test
    void onceBegunTheSourceAndTheRootAreAskedInTurn() {
        fragmentArrives(100_000);
        for (int target : new int[] {SOURCE, ROOT, SOURCE, ROOT}) {
            timeout(monitor.nextDueNs(call));
            assertThat(Engines.poll(control).getFirst().destination()).isEqualTo(target);
        }
    }

    @Test
    void thePausesGrowUntilANewFragmentComes() {
        fragmentArrives(100_000);
        long firstNs = monitor.nextDueNs(call) - 100_000;
        long lastDueNs = 100_000;
        long lastPauseNs = 0;
        for (int i = 0; i < 6; i++) {
            long dueNs = monitor.nextDueNs(call);
            assertThat(dueNs - lastDueNs).isGreaterThanOrEqualTo(lastPauseNs);
            lastPauseNs = dueNs - lastDueNs;
            lastDueNs = dueNs;
            timeout(dueNs);
        }
        assertThat(lastPauseNs).isGreaterThan(firstNs);
        monitor.onFragment(lastDueNs);
        assertThat(monitor.nextDueNs(call) - lastDueNs).isLessThanOrEqualTo(10 * firstNs);
    }

    /** A host was killed, and all others wait longer than doubled pauses can be: no storm. */
    @Test
    void howeverLongTheWaitQuestionsDoNotComeFasterThanTheLongestPause() {
        fragmentArrives(100_000);
        long lastDueNs = 0;
        for (int i = 0; i < 10_000; i++) {
            long dueNs = monitor.nextDueNs(call);
            if (i > 10) {
                assertThat(dueNs - lastDueNs).as("question %d", i).isEqualTo(DEATH_NS / 40);
            }
            lastDueNs = dueNs;
            timeout(dueNs);
        }
    }

    /** Also with a root that cannot be a neighbour in the tree, a silent one is found in time. */
    @Test
    void aRootThatNeverAnswersIsGivenUpSoonAfterTheDeathTimeout() {
        long nowNs = 0;
        boolean dead = false;
        while (!dead) {
            nowNs = monitor.nextDueNs(call);
            dead = timeout(nowNs);
            assertThat(nowNs).isLessThan(DEATH_NS * 3 / 2);
        }
        assertThat(nowNs).isGreaterThan(DEATH_NS);
    }

    @Test
    void aRootThatAnswersIsNeverGivenUp() {
        for (int i = 0; i < 1_000; i++) {
            long nowNs = monitor.nextDueNs(call);
            assertThat(timeout(nowNs)).isFalse();
            if (i % 4 == 3) {
                monitor.onHeard(nowNs, ROOT, call);
            }
        }
    }

    @Test
    void anotherRanksLifeSignsDoNotCountForTheRoot() {
        boolean dead = false;
        for (int i = 0; i < 100 && !dead; i++) {
            long nowNs = monitor.nextDueNs(call);
            dead = timeout(nowNs);
            monitor.onHeard(nowNs, SOURCE, call);
        }
        assertThat(dead).isTrue();
    }
}

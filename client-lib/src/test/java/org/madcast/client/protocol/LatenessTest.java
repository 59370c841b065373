package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.madcast.client.Algorithm;
import org.madcast.client.protocol.Engines.Sent;
import org.madcast.client.wire.Arrival;
import org.madcast.client.wire.DatagramType;

/** A receiver knows when it called, against when the first of its data came, however that went. */
class LatenessTest {

    private static final long MS = Engines.MS;
    private static final int BYTES = 4 * 64;

    private final BroadcastEngine root = Engines.of(0, 2);
    private final BroadcastEngine receiver = Engines.of(1, 2);
    private List<Sent> message = List.of();

    @BeforeEach
    void send() {
        message = fragments();
        assertThat(message).hasSize(4);
    }

    private List<Sent> fragments() {
        root.call(0, MemorySegment.ofArray(new byte[BYTES]), 0, Algorithm.ONCE.code());
        return Engines.poll(root, 0).stream().filter(it -> it.type() == DatagramType.DATA).toList();
    }

    private void arrive(long nowNs, long waitedNs, List<Sent> datagrams) {
        datagrams.forEach(
                it -> receiver.onDatagram(nowNs, Arrival.of(it.datagram()).waitedNs(waitedNs)));
    }

    private long call(long nowNs) {
        MemorySegment into = MemorySegment.ofArray(new byte[BYTES]);
        return receiver.call(nowNs, into, 0, Algorithm.ONCE.code());
    }

    private void assertEnded(long call, long afterDataNs) {
        assertThat(receiver.isPending(call)).isFalse();
        assertThat(receiver.lastAfterDataNs()).isEqualTo(afterDataNs);
    }

    @Test
    void whatTheSystemKeptUntilTheCallCameBeforeIt() {
        long call = call(10 * MS);
        arrive(10 * MS + 1, 9 * MS + 1, message);
        assertEnded(call, 9 * MS);
    }

    @Test
    void whoeverWaitsForTheDataIsInTimeThoughTheSystemKeptThemForAWhile() {
        long call = call(10 * MS);
        arrive(15 * MS, 2 * MS, message);
        assertEnded(call, -3 * MS);
    }

    @Test
    void theDataCameThoughTheirFirstFragmentWasLost() {
        arrive(MS, 0, message.subList(1, 4));
        long call = call(10 * MS);
        assertThat(receiver.isPending(call)).isTrue();
        arrive(12 * MS, 0, message.subList(0, 1));
        assertEnded(call, 9 * MS);
    }

    @Test
    void ofReceiversThatAreInTimeToo() {
        long call = call(10 * MS);
        arrive(11 * MS, 0, message.subList(1, 4));
        arrive(14 * MS, 0, message.subList(0, 1));
        assertEnded(call, -MS);
    }

    /** It could not have been taken earlier. */
    @Test
    void aMessageThatCameBehindAnotherCountsFromThatOnesEnd() {
        arrive(MS, 0, message);
        arrive(2 * MS, 0, fragments());
        assertEnded(call(20 * MS), 19 * MS);
        assertEnded(call(25 * MS), 5 * MS);
    }

    @Test
    void theNextMessageIsTimedAnew() {
        long call = call(10 * MS);
        arrive(15 * MS, 0, message);
        assertEnded(call, -5 * MS);
        arrive(30 * MS, 0, fragments());
        assertEnded(call(31 * MS), MS);
    }

    /** Calls that are not waited for may have ended together. */
    @Test
    void eachOfSeveralCallsIsKnown() {
        long first = call(10 * MS);
        long second = call(11 * MS);
        arrive(15 * MS, 0, message);
        arrive(16 * MS, 0, fragments());
        assertThat(receiver.isPending(second)).isFalse();
        assertThat(receiver.afterDataNs(first)).isEqualTo(-5 * MS);
        assertThat(receiver.afterDataNs(second)).isEqualTo(-5 * MS);
    }

    @Test
    void aRootThatIsToWaitSendsNothingBefore() {
        MemorySegment next = MemorySegment.ofArray(new byte[BYTES]);
        root.call(20 * MS, next, 0, Algorithm.ONCE.code(), 21 * MS);
        assertThat(dataAt(21 * MS - 1)).isZero();
        assertThat(root.nextDeadlineNs()).isLessThanOrEqualTo(21 * MS);
        assertThat(dataAt(21 * MS)).isEqualTo(4);
    }

    private long dataAt(long nowNs) {
        return Engines.pollAfterTimeout(root, nowNs).stream()
                .filter(it -> it.type() == DatagramType.DATA)
                .count();
    }
}

package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.madcast.client.protocol.Engines.MS;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.client.Algorithm;
import org.madcast.client.collective.Disseminations;
import org.madcast.client.protocol.Engines.Sent;
import org.madcast.client.wire.Arrival;
import org.madcast.client.wire.Checksum;
import org.madcast.client.wire.DatagramLayout;
import org.madcast.client.wire.DatagramType;

/** Sealed datagrams that somebody recorded and sends again, and such as were overtaken. */
class ReplayTest {

    private static final long DEATH_MS = 1_000;

    private final BroadcastEngine zero = Engines.of(0, 2);
    private final BroadcastEngine one = Engines.of(1, 2);

    private static void give(BroadcastEngine to, long nowNs, long number, MemorySegment datagram) {
        to.onDatagram(nowNs, Arrival.of(datagram).number(number));
    }

    /** With a later number each time it is a rank that lives. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRecordedSignOfLifeIsNone(boolean recorded) {
        MemorySegment progress =
                Engines.first(Engines.pollAfterTimeout(one, 0), DatagramType.PROGRESS).datagram();
        long number = 7;
        for (long nowMs = 0; nowMs < 3 * DEATH_MS; nowMs += 50) {
            give(zero, nowMs * MS, number, progress);
            Engines.pollAfterTimeout(zero, nowMs * MS);
            number += recorded ? 0 : 1;
        }
        Failure dead = Failure.ofDead(1, 0, Failure.Death.SILENT);
        assertThat(zero.failure()).isEqualTo(recorded ? dead : null);
    }

    @Test
    void aRootThatIsRecordedIsGivenUp() {
        List<Sent> first = Engines.pollAfterTimeout(Engines.of(5, 7), 0);
        BroadcastEngine three = Engines.of(3, 7);
        three.call(0, MemorySegment.ofArray(new byte[100]), 5, Algorithm.CHAIN.code());
        MemorySegment recorded = Engines.first(first, DatagramType.PROGRESS).datagram();
        long nowMs = 0;
        while (three.failure() == null && nowMs < 10 * DEATH_MS) {
            give(three, nowMs * MS, 3, recorded);
            giveLife(three, nowMs);
            Engines.pollAfterTimeout(three, nowMs * MS);
            nowMs += 10;
        }
        assertThat(three.failure()).isEqualTo(Failure.ofDead(5, 3, Failure.Death.UNANSWERED));
    }

    /** Of rank 3 of 7, whose only neighbour in the tree is rank 0. */
    private static void giveLife(BroadcastEngine three, long nowMs) {
        MemorySegment have = empty(DatagramType.HAVE);
        new Checksum().seal(have);
        give(three, nowMs * MS, 100 + nowMs, have);
    }

    /** The socket of the group is read first, however long the other's have waited. */
    @Test
    void whatWasOvertakenCountsAllTheSame() {
        byte[] sent = new byte[3 * 64];
        Arrays.fill(sent, (byte) 42);
        byte[] got = new byte[sent.length];
        long call = one.call(0, MemorySegment.ofArray(got), 0, Algorithm.ONCE.code());
        zero.call(0, MemorySegment.ofArray(sent), 0, Algorithm.ONCE.code());
        long number = 100_000;
        for (Sent each : Engines.poll(zero, 0)) {
            give(one, 0, number, each.datagram());
            number -= 40_000;
        }
        assertThat(one.isPending(call)).isFalse();
        assertThat(got).isEqualTo(sent);
    }

    @Test
    void onlyTheLatestReportTellsOfLosses() {
        EngineConfig config = Engines.config(1, 2);
        ProgressTree tree = new ProgressTree(config, 0);
        FragmentRing ring =
                new FragmentRing(Engines.WINDOW, Engines.DATAGRAM_BYTES, Arena.ofAuto());
        LossAggregator loss =
                new LossAggregator(
                        new LossTracker(ring, new StreamPaths(Disseminations.byCode(), 0, 2), 0),
                        tree);
        ControlQueue control = Engines.controlQueue(1);
        TreeMessages messages =
                new TreeMessages(config, tree, control, new GroupMove(tree, control), loss);
        messages.on(0, watermark(255), 0, true);
        messages.on(0, watermark(0), 0, false);
        assertThat(loss.share()).isEqualTo(1);
        messages.on(0, watermark(0), 0, true);
        assertThat(loss.share()).isZero();
    }

    private static MemorySegment watermark(int lossBits) {
        MemorySegment watermark = empty(DatagramType.WATERMARK);
        DatagramLayout.putFragment(watermark, (long) lossBits << 16);
        return watermark;
    }

    private static MemorySegment empty(DatagramType type) {
        MemorySegment datagram = MemorySegment.ofArray(new byte[DatagramLayout.HEADER_BYTES]);
        DatagramLayout.start(datagram, 0, type, 0, Engines.TOKEN);
        return datagram;
    }

    @Test
    void theLatestOfEachSenderIsThatOfTheHighestNumber() {
        SenderOrder order = new SenderOrder(2);
        assertThat(order.isLatest(0, 5)).isTrue();
        assertThat(order.isLatest(0, 4)).isFalse();
        assertThat(order.isLatest(0, 5)).isFalse();
        assertThat(order.isLatest(1, 0)).isTrue();
        assertThat(order.isLatestReport(0, 5)).isTrue();
        assertThat(order.isLatest(0, 6)).isTrue();
        assertThat(order.isLatest(0, -1)).as("without a seal").isTrue();
    }
}

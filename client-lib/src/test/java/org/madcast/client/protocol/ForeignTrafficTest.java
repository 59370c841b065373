package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.madcast.client.Algorithm;
import org.madcast.client.collective.Disseminations;
import org.madcast.client.protocol.SimulatedJob.Shape;
import org.madcast.client.protocol.SimulatedJob.Step;
import org.madcast.client.wire.Rejection;
import org.madcast.netsim.FaultPlan;
import org.madcast.netsim.Faults;
import org.madcast.netsim.RandomStream;
import org.madcast.netsim.SimulatedNode;

/** Others send to our group and port; their datagrams are counted, and change nothing. */
class ForeignTrafficTest {

    private static final int SIZE = 5;
    private static final long LIMIT_NS = 60_000_000_000L;

    private static SimulatedJob job(FaultPlan plan) {
        List<Step> script =
                IntStream.range(0, 20)
                        .mapToObj(i -> new Step(i % SIZE, 40_000, Algorithm.ONCE))
                        .toList();
        return new SimulatedJob(SIZE, script, plan, 1, Shape.fastEthernet());
    }

    /** Noise of any length from 0 bytes to a full datagram, every so often, for ever. */
    private static final class Babbler implements SimulatedNode {
        private static final long PAUSE_NS = 300_000;
        private final RandomStream random;
        private long nextNs = 1_000_000;

        Babbler(long seed) {
            random = RandomStream.of(seed, "babble");
        }

        @Override
        public void onDatagram(long nowNs, MemorySegment datagram) {}

        @Override
        public void onTimeout(long nowNs) {}

        @Override
        public long nextDeadlineNs() {
            return nextNs;
        }

        @Override
        public int pollTransmit(
                long nowNs, MemorySegment out, org.madcast.netsim.TransmitSlot slot) {
            if (nowNs < nextNs) {
                return 0;
            }
            nextNs = nowNs + PAUSE_NS;
            int bytes = 1 + random.nextInt(1472);
            for (int i = 0; i < bytes; i++) {
                out.set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt(256));
            }
            slot.toGroup();
            return bytes;
        }
    }

    /** Another job's engine: rank 1 of three, the others of which it mistakes ours for. */
    private static BroadcastEngine strangersEngine(long token) {
        EngineConfig config =
                new EngineConfig(
                        1,
                        3,
                        token,
                        1472,
                        64,
                        true,
                        5_000_000_000L,
                        100_000_000,
                        RateLimits.NONE,
                        500_000,
                        Disseminations.byCode(),
                        Algorithm.CHAIN.code());
        BroadcastEngine stranger = new BroadcastEngine(config, Arena.ofAuto(), 0);
        stranger.call(0, MemorySegment.ofArray(new byte[90_000]), 1, Algorithm.ONCE.code());
        return stranger;
    }

    @Test
    void noiseIsRejectedDatagramByDatagram() {
        SimulatedJob job = job(FaultPlan.NONE);
        job.addForeigner(new Babbler(1));
        job.run(LIMIT_NS).assertAllComplete();
        long babbled = job.simulation().counters(SIZE).sentDatagrams();
        assertThat(babbled).isGreaterThan(100);
        for (int rank = 0; rank < SIZE; rank++) {
            assertThat(rejectedBy(job, rank)).isBetween(babbled - 1, babbled);
            assertThat(job.engine(rank).counters().rejected())
                    .containsKey(Rejection.BAD_LENGTH)
                    .containsKey(Rejection.BAD_VERSION);
        }
    }

    @Test
    void anotherJobOnTheSameGroupAndPortIsRecognisedByItsToken() {
        SimulatedJob job = job(FaultPlan.NONE);
        BroadcastEngine stranger = strangersEngine(SimulatedJob.TOKEN + 1);
        job.addForeigner(new EngineNode(stranger));
        job.run(LIMIT_NS).assertAllComplete();
        for (int rank = 0; rank < SIZE; rank++) {
            assertThat(job.engine(rank).counters().rejected())
                    .containsOnlyKeys(Rejection.FOREIGN)
                    .hasEntrySatisfying(
                            Rejection.FOREIGN, count -> assertThat(count).isGreaterThan(60));
        }
        assertThat(stranger.counters().rejected()).containsOnlyKeys(Rejection.FOREIGN);
        assertThat(stranger.counters().fragmentsUseful()).isZero();
        assertThat(stranger.failure()).isNull();
    }

    @Test
    void evenUnderLossAndWithBothAtOnce() {
        SimulatedJob job = job(FaultPlan.of(Faults.loss(0.02), Faults.duplication(0.02, 500_000)));
        job.addForeigner(new Babbler(2));
        job.addForeigner(new EngineNode(strangersEngine(~SimulatedJob.TOKEN)));
        job.run(LIMIT_NS).assertAllComplete();
    }

    private static long rejectedBy(SimulatedJob job, int rank) {
        return job.engine(rank).counters().rejected().values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }
}

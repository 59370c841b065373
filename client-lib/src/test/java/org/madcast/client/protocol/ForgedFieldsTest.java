package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.madcast.client.Algorithm;
import org.madcast.client.protocol.SimulatedJob.Shape;
import org.madcast.client.protocol.SimulatedJob.Step;
import org.madcast.netsim.FaultPlan;
import org.madcast.netsim.Faults;
import org.madcast.netsim.RandomStream;
import org.madcast.netsim.Seeds;
import org.madcast.netsim.SimulatedNode;
import org.madcast.netsim.TransmitSlot;

/**
 * Live jobs and an attacker without a key's hindrance: every call ends soon after the attack, with
 * the right bytes or a failure. Only the bytes of broadcasts of which fragments were forged may be
 * wrong, and only a forged report of what others have called lets a barrier end early.
 */
class ForgedFieldsTest {

    private static final int DATAGRAM_BYTES = 1472;

    /** The longest that a call may take beyond the attack: a contradiction is noticed by then. */
    private static final long BOUND_NS = 3 * SimulatedJob.DEATH_TIMEOUT_NS / 2;

    /** What the longest script takes when nobody attacks, and the leaving of all. */
    private static final long WORK_NS = 3 * SimulatedJob.DEATH_TIMEOUT_NS;

    @Test
    void everyCallEndsInTimeWithTheRightBytesOrAFailure() {
        Seeds.forEach(60, ForgedFieldsTest::attack);
    }

    @Test
    @Tag("slow")
    void underAThousandSeeds() {
        Seeds.forEach(1_000, ForgedFieldsTest::attack);
    }

    private static void attack(long seed) {
        RandomStream random = RandomStream.of(seed, "attack");
        int size = 2 + random.nextInt(14);
        List<Step> script = script(random, size);
        long beginNs = random.nextInt(200_000_000);
        long endNs = beginNs + 1 + random.nextInt(1_000_000_000);
        long pauseNs = 1 + (long) Math.pow(10, 5 + 3 * random.nextDouble());
        FaultPlan plan =
                random.chance(0.5)
                        ? FaultPlan.NONE
                        : FaultPlan.of(Faults.loss(0.02), Faults.reordering(0.05, 500_000));
        Shape shape = Shape.fastEthernet().joined().thinking(rank -> 2_000_000);
        FieldForger forger = new FieldForger(random, size, SimulatedJob.TOKEN, DATAGRAM_BYTES);
        SimulatedJob job =
                new SimulatedJob(size, script, plan, seed, shape)
                        .keepingGroup()
                        .tolerating(forger::mayBeWrong, forger::forgedCredit);
        job.addForeigner(new Node(forger, random, size, beginNs, endNs, pauseNs));
        job.run(endNs + WORK_NS + BOUND_NS);
        assertThat(job.size()).isEqualTo(size);
    }

    private static List<Step> script(RandomStream random, int size) {
        List<Step> script = new ArrayList<>();
        Algorithm[] algorithms = Algorithm.values();
        for (int i = 10 + random.nextInt(100); i > 0; i--) {
            int bytes = random.nextInt(1 << (4 + random.nextInt(14)));
            Algorithm algorithm = algorithms[random.nextInt(algorithms.length)];
            script.add(
                    random.chance(0.1)
                            ? Step.BARRIER
                            : new Step(random.nextInt(size), bytes, algorithm));
        }
        return script;
    }

    /** The attacker's host, which hears what goes to the group. */
    private static final class Node implements SimulatedNode {

        private final FieldForger forger;
        private final RandomStream random;
        private final int size;
        private final long endNs;
        private final long pauseNs;
        private long nextNs;

        Node(
                FieldForger forger,
                RandomStream random,
                int size,
                long beginNs,
                long endNs,
                long pauseNs) {
            this.forger = forger;
            this.random = random;
            this.size = size;
            this.endNs = endNs;
            this.pauseNs = pauseNs;
            nextNs = beginNs;
        }

        @Override
        public void onDatagram(long nowNs, MemorySegment datagram) {
            forger.overhear(datagram);
        }

        @Override
        public void onTimeout(long nowNs) {}

        @Override
        public long nextDeadlineNs() {
            return nextNs < endNs ? nextNs : Long.MAX_VALUE;
        }

        @Override
        public int pollTransmit(long nowNs, MemorySegment out, TransmitSlot slot) {
            if (nowNs < nextNs || nextNs >= endNs) {
                return 0;
            }
            nextNs = nowNs + 1 + random.nextLong(2 * pauseNs);
            MemorySegment forged = forger.next();
            MemorySegment.copy(forged, 0, out, 0, forged.byteSize());
            if (random.chance(0.3)) {
                slot.toGroup();
            } else {
                slot.to(random.nextInt(size));
            }
            return (int) forged.byteSize();
        }
    }
}

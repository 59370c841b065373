package org.madcast.client.protocol;

import java.lang.foreign.Arena;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.madcast.client.collective.Disseminations;
import org.madcast.client.wire.Datagram;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The machines that every arriving fragment passes, one by one, on an endless stream. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class StreamBenchmark {

    private static final int WINDOW = 2048;
    private static final int DATAGRAM_BYTES = 1472;
    private static final int BLOCK = 1 << 16;
    private static final double LOSS = 0.01;

    /** So many fragments after it was lost a fragment's repair comes: a round trip's worth. */
    private static final int REPAIR_DISTANCE = 40;

    private static final long NS_PER_FRAGMENT = 1_200;

    private final FragmentRing ring = new FragmentRing(WINDOW, DATAGRAM_BYTES, Arena.ofAuto());
    private final Datagram datagram = Datagram.of(Arena.ofAuto().allocate(DATAGRAM_BYTES, 64));
    private long stored;

    private final FragmentRing lossyRing = new FragmentRing(WINDOW, 64, Arena.ofAuto());
    private final LossTracker loss =
            new LossTracker(lossyRing, new StreamPaths(Disseminations.byCode(), 1, 16), 0);
    private final RangeList due = new RangeList(ControlQueue.MAX_RANGES);
    private final int[] arrivals = arrivals();
    private long block;
    private int next;
    private long nowNs;

    /** A block of the stream in its order of arrival; each lost fragment comes later. */
    private static int[] arrivals() {
        SplittableRandom random = new SplittableRandom(1);
        int[] order = new int[BLOCK];
        boolean[] lost = new boolean[BLOCK];
        int filled = 0;
        for (int i = 0; i < BLOCK + REPAIR_DISTANCE; i++) {
            if (i < BLOCK) {
                lost[i] = i < BLOCK - 1 && random.nextDouble() < LOSS;
                if (!lost[i]) {
                    order[filled++] = i;
                }
            }
            int repaired = i - REPAIR_DISTANCE;
            if (repaired >= 0 && lost[repaired]) {
                order[filled++] = repaired;
            }
        }
        return order;
    }

    /** A whole datagram copied into its slot, 3 MB of which go round. */
    @Benchmark
    public boolean ringPut() {
        ring.put(++stored, datagram);
        return ring.has(stored);
    }

    /** One arrival of a stream that loses 1 %, and what falls due with it. */
    @Benchmark
    public long lossTracker() {
        long sequence = block + arrivals[next];
        if (++next == BLOCK) {
            next = 0;
            block += BLOCK;
        }
        nowNs += NS_PER_FRAGMENT;
        lossyRing.claim(sequence, 1);
        loss.onArrival(nowNs, sequence);
        if (loss.nextDueNs() <= nowNs) {
            due.clear();
            loss.collectDue(nowNs, due);
        }
        return loss.contiguous();
    }
}

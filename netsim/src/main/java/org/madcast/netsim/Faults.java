package org.madcast.netsim;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * The usual faults. Random ones sit on the downlink, each receiver's copy apart, unless moved by
 * {@link Fault#onUplink}. Times are virtual nanoseconds; intervals include their start and exclude
 * their end. A copy dropped on a downlink takes none of the downlink's time; on an uplink it does.
 */
public final class Faults {

    private Faults() {}

    /** Loses each frame, independently, with a probability. */
    public static Fault loss(double probability) {
        return lossNamed("loss", probability);
    }

    /** Loses frames on the sender's uplink: all receivers miss the same datagrams. */
    public static Fault uplinkLoss(double probability) {
        return lossNamed("uplink loss", probability).onUplink();
    }

    /** Loses datagrams in bursts; see {@link GilbertElliott#bursts}. */
    public static Fault burstLoss(double lossRate, double meanBurstDatagrams) {
        return burstLoss(GilbertElliott.bursts(lossRate, meanBurstDatagrams));
    }

    /** Loses datagrams in bursts. */
    public static Fault burstLoss(GilbertElliott channel) {
        return new Fault(
                "burst loss",
                LinkSide.DOWNLINK,
                (random, nodeCount) -> new BurstLossLayer(channel, random, nodeCount));
    }

    /** Holds some datagrams back by up to a time, so that later ones overtake them. */
    public static Fault reordering(double probability, long maxExtraDelayNs) {
        return random(
                "reordering",
                probability,
                (passage, random) -> passage.delay(1 + random.nextLong(maxExtraDelayNs)));
    }

    /** Delivers some datagrams twice, the second up to a time later. */
    public static Fault duplication(double probability, long maxExtraDelayNs) {
        return random(
                "duplication",
                probability,
                (passage, random) -> passage.duplicate(random.nextLong(maxExtraDelayNs + 1)));
    }

    /** Flips one random bit of some datagrams. */
    public static Fault corruption(double probability) {
        return random(
                "corruption",
                probability,
                (passage, random) ->
                        passage.flipBit(random.nextLong(8 * passage.datagram().byteSize())));
    }

    /** Nothing that a node sends arrives during an interval. */
    public static Fault uplinkBlackout(int node, long fromNs, long untilNs) {
        return dropping("uplink blackout", DropCause.BLACKOUT)
                .onUplink()
                .onNode(node)
                .during(fromNs, untilNs);
    }

    /** Nothing reaches a node during an interval. */
    public static Fault downlinkBlackout(int node, long fromNs, long untilNs) {
        return dropping("downlink blackout", DropCause.BLACKOUT)
                .onNode(node)
                .during(fromNs, untilNs);
    }

    /** Nothing crosses between the given nodes and all others during an interval; then it heals. */
    public static Fault partition(long fromNs, long untilNs, int... oneSide) {
        BitSet side = new BitSet();
        for (int node : oneSide) {
            side.set(node);
        }
        return dropping("partition", DropCause.PARTITION)
                .when(passage -> side.get(passage.from()) != side.get(passage.to()))
                .during(fromNs, untilNs);
    }

    /** From a time on nothing sent to the group arrives anywhere. */
    public static Fault multicastBlocked(long fromNs) {
        return dropping("multicast blocked", DropCause.MULTICAST_BLOCKED)
                .onUplink()
                .onlyMulticast()
                .during(fromNs, Long.MAX_VALUE);
    }

    /**
     * Loses exactly the copies that a script names; with {@link Fault#onUplink} for all at once.
     */
    public static Fault drop(ScriptedDrop script) {
        return new Fault(
                "script",
                LinkSide.DOWNLINK,
                (random, nodeCount) -> {
                    Map<Long, long[]> counts = new HashMap<>();
                    return passage -> {
                        long pair = (long) passage.from() << 32 | (passage.to() & 0xFFFFFFFFL);
                        long count = counts.computeIfAbsent(pair, _ -> new long[1])[0]++;
                        if (script.drops(passage.from(), passage.to(), passage.datagram(), count)) {
                            passage.drop(DropCause.SCRIPTED);
                        }
                    };
                });
    }

    static void requireProbability(double probability) {
        if (!(probability >= 0 && probability <= 1)) {
            throw new IllegalArgumentException(probability + " is not a probability");
        }
    }

    private static Fault lossNamed(String name, double probability) {
        requireProbability(probability);
        return new Fault(
                name,
                LinkSide.DOWNLINK,
                (random, nodeCount) ->
                        passage -> {
                            int frames = passage.frames();
                            double lost =
                                    frames == 1
                                            ? probability
                                            : 1 - Math.pow(1 - probability, frames);
                            if (random.chance(lost)) {
                                passage.drop(DropCause.LOSS);
                            }
                        });
    }

    private static Fault dropping(String name, DropCause cause) {
        return new Fault(
                name, LinkSide.DOWNLINK, (random, nodeCount) -> passage -> passage.drop(cause));
    }

    /** What happens to a datagram that the dice have chosen. */
    private interface Mishap {
        void strike(Passage passage, RandomStream random);
    }

    private static Fault random(String name, double probability, Mishap mishap) {
        requireProbability(probability);
        return new Fault(
                name,
                LinkSide.DOWNLINK,
                (random, nodeCount) ->
                        passage -> {
                            if (random.chance(probability)) {
                                mishap.strike(passage, random);
                            }
                        });
    }
}

package org.madcast.netsim;

/**
 * Gilbert and Elliott's two-state channel, one per link: each datagram may change the state and is
 * then lost with the state's probability. (E. N. Gilbert, "Capacity of a burst-noise channel", Bell
 * System Technical Journal 39, 1960; E. O. Elliott, same journal 42, 1963.)
 */
final class BurstLossLayer implements FaultLayer {

    private final GilbertElliott channel;
    private final RandomStream random;
    private final boolean[] bad;

    BurstLossLayer(GilbertElliott channel, RandomStream random, int nodeCount) {
        this.channel = channel;
        this.random = random;
        this.bad = new boolean[nodeCount];
    }

    @Override
    public void judge(Passage passage) {
        int link = passage.node();
        if (random.chance(bad[link] ? channel.badToGood() : channel.goodToBad())) {
            bad[link] = !bad[link];
        }
        if (random.chance(bad[link] ? channel.lossInBad() : channel.lossInGood())) {
            passage.drop(DropCause.BURST_LOSS);
        }
    }
}

package org.madcast.netsim;

/**
 * A channel that is either good or bad; all four are probabilities per datagram.
 *
 * @param goodToBad of becoming bad
 * @param badToGood of becoming good
 * @param lossInGood of loss while good
 * @param lossInBad of loss while bad
 */
public record GilbertElliott(
        double goodToBad, double badToGood, double lossInGood, double lossInBad) {

    /** Checks the ranges. */
    public GilbertElliott {
        Faults.requireProbability(goodToBad);
        Faults.requireProbability(badToGood);
        Faults.requireProbability(lossInGood);
        Faults.requireProbability(lossInBad);
    }

    /**
     * The channel that loses nothing while good and everything while bad.
     *
     * @param lossRate the share of datagrams lost in the long run, below 1
     * @param meanBurstDatagrams how many in a row are lost on average, at least 1
     */
    public static GilbertElliott bursts(double lossRate, double meanBurstDatagrams) {
        if (!(lossRate >= 0 && lossRate < 1) || !(meanBurstDatagrams >= 1)) {
            throw new IllegalArgumentException(
                    "loss rate "
                            + lossRate
                            + " must be in [0, 1), mean burst "
                            + meanBurstDatagrams
                            + " at least 1");
        }
        double badToGood = 1 / meanBurstDatagrams;
        double goodToBad = Math.min(1, lossRate * badToGood / (1 - lossRate));
        return new GilbertElliott(goodToBad, badToGood, 0, 1);
    }
}

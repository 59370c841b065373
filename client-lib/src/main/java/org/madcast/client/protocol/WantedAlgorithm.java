package org.madcast.client.protocol;

/** The number by which a call says which algorithm it wants ({@link BroadcastEngine#call}). */
public final class WantedAlgorithm {

    private WantedAlgorithm() {}

    /**
     * This rank named no algorithm, so it takes whichever the root sends by.
     *
     * @param index of the dissemination by which it sends as the root
     */
    public static int any(int index) {
        return index | Call.ANY_ALGORITHM;
    }

    /**
     * This rank named the algorithm. That multicast died the root may know first, and what it sends
     * by then is no mismatch.
     *
     * @param index of the dissemination that was named
     * @param instead of the one that serves without multicast
     */
    public static int named(int index, int instead) {
        return index | instead << Call.INSTEAD_SHIFT;
    }
}

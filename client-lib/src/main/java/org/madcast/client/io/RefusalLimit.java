package org.madcast.client.io;

/**
 * How many datagrams of senders that are no ranks are tried with the key: opening one costs a slow
 * processor a fifth of a millisecond, so a few thousand a second would take all of it. Only
 * failures use it up, so that an honest rank behind a translated address is accepted as long as
 * none floods. For one thread at a time.
 */
final class RefusalLimit {

    static final int BURST = 200;
    static final int PER_SECOND = 200;

    private static final double NS_PER_S = 1e9;

    private double left = BURST;
    private long refilledNs = System.nanoTime();

    /** Whether no more of them are tried for now. */
    boolean isExhausted() {
        if (left < 1) {
            long nowNs = System.nanoTime();
            left = Math.min(BURST, left + PER_SECOND * ((nowNs - refilledNs) / NS_PER_S));
            refilledNs = nowNs;
        }
        return left < 1;
    }

    /** One was tried in vain. */
    void onFailed() {
        left--;
    }
}

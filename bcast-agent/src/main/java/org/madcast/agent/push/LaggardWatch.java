package org.madcast.agent.push;

import java.util.Arrays;

/**
 * Finds the node that all others wait for. Since the sender is at most a window of bytes ahead of
 * the slowest node, a node that cannot keep up lags by that window all the time, while the others
 * lag by nearly nothing: the lag, averaged over a while, tells them apart, the rate does not, as it
 * is the same for all. When all lag alike, nobody is to blame. For one thread.
 *
 * <p>Example: the averages are 60 kB, 90 kB, 2100 kB and 80 kB. The third node is far beyond four
 * times the second largest, so it is the laggard.
 */
final class LaggardWatch {

    private static final int NOBODY = -1;
    private static final int SAMPLES = 30;
    private static final long MIN_LAG_BYTES = 512 << 10;
    private static final int TIMES = 4;

    private final long[][] lags;
    private final long[] senders = new long[SAMPLES];
    private int samples;

    LaggardWatch(int nodes) {
        lags = new long[nodes][SAMPLES];
    }

    /** Adds a sample: how far the sender is and how far each node. */
    void add(long senderBytes, long[] nodeBytes) {
        for (int i = 0; i < lags.length; i++) {
            lags[i][samples % SAMPLES] = Math.max(0, senderBytes - nodeBytes[i]);
        }
        senders[samples % SAMPLES] = senderBytes;
        samples++;
    }

    /** The node that all others wait for, -1 when there is none, or it is too early to say. */
    int laggard() {
        if (samples < SAMPLES || lags.length < 2) {
            return NOBODY;
        }
        int most = slowest();
        long second = 0;
        for (int i = 0; i < lags.length; i++) {
            second = i == most ? second : Math.max(second, average(i));
        }
        long lag = average(most);
        return lag >= MIN_LAG_BYTES && lag > TIMES * second ? most : NOBODY;
    }

    /** The node that lags most. */
    int slowest() {
        int most = 0;
        for (int i = 1; i < lags.length; i++) {
            most = average(i) > average(most) ? i : most;
        }
        return most;
    }

    /** How much the sender sent from sample to sample lately. */
    double bytesPerSample() {
        if (samples < SAMPLES) {
            return 0;
        }
        long newest = senders[(samples - 1) % SAMPLES];
        return (double) (newest - senders[samples % SAMPLES]) / (SAMPLES - 1);
    }

    private long average(int node) {
        int count = Math.min(samples, SAMPLES);
        return count == 0 ? 0 : Arrays.stream(lags[node], 0, count).sum() / count;
    }
}

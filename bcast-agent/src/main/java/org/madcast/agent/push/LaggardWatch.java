package org.madcast.agent.push;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Finds the nodes that all others wait for. Since the sender is at most a window of bytes ahead of
 * the slowest node, a node that cannot keep up lags by that window all the time, while the others
 * lag by nearly nothing: the lag tells them apart, the rate does not, as it is the same for all. A
 * laggard must have lagged in every sample, so that a pause is forgiven; when most nodes lag alike,
 * none is a laggard. For one thread.
 *
 * <p>Where data go from node to node, those behind a slow one lag with it, so only the first of
 * them is to blame.
 *
 * <p>Example: the averages are 60 kB, 90 kB, 2100 kB and 80 kB. The third node is far beyond four
 * times the second largest, so it is the laggard.
 */
final class LaggardWatch {

    /** How many samples are remembered, and needed before a node is blamed. */
    static final int SAMPLES = 20;

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

    /**
     * The nodes that all others wait for; none when there are none, or it is too early to say.
     *
     * @param chain whether data go from node to node, in their order
     */
    List<Integer> laggards(boolean chain) {
        List<Integer> behind =
                IntStream.range(0, lags.length).filter(this::lagsAllTheTime).boxed().toList();
        if (samples < SAMPLES || lags.length < 2 || behind.isEmpty()) {
            return List.of();
        }
        long least = behind.stream().mapToLong(this::average).min().orElse(0);
        boolean othersKeepUp =
                IntStream.range(0, lags.length)
                        .filter(node -> !behind.contains(node))
                        .allMatch(node -> average(node) * TIMES < least);
        if (!othersKeepUp) {
            return List.of();
        }
        if (chain) {
            return behind.subList(0, 1);
        }
        return behind.size() <= lags.length / 2 ? behind : List.of();
    }

    private boolean lagsAllTheTime(int node) {
        return Arrays.stream(lags[node]).allMatch(lag -> lag >= MIN_LAG_BYTES);
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

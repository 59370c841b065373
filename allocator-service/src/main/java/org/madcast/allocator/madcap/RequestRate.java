package org.madcast.allocator.madcap;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How many datagrams of one source are looked at: a bucket of tokens each, which fills at the rate
 * up to the burst. Sources that have not been heard of for longest are forgotten first. Told the
 * time; one thread at a time.
 */
final class RequestRate {

    private static final int MOST_SOURCES = 4096;

    private static final class Bucket {
        private double tokens;
        private long atNs;

        Bucket(double tokens, long atNs) {
            this.tokens = tokens;
            this.atNs = atNs;
        }
    }

    private final double perSecond;
    private final double burst;
    private final Map<InetAddress, Bucket> buckets =
            new LinkedHashMap<>(64, 0.75f, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<InetAddress, Bucket> eldest) {
                    return size() > MOST_SOURCES;
                }
            };

    RequestRate(int perSecond, int burst) {
        this.perSecond = perSecond;
        this.burst = Math.max(1, burst);
    }

    /** Whether one more of this source may pass now. */
    boolean admits(InetAddress source, long nowNs) {
        Bucket bucket = buckets.computeIfAbsent(source, it -> new Bucket(burst, nowNs));
        double elapsedSeconds = Math.max(0, nowNs - bucket.atNs) / 1e9;
        bucket.tokens = Math.min(burst, bucket.tokens + elapsedSeconds * perSecond);
        bucket.atNs = nowNs;
        if (bucket.tokens < 1) {
            return false;
        }
        bucket.tokens--;
        return true;
    }
}

package org.madcast.measure.bench;

import java.util.List;

/**
 * How ranks that are JVMs are compiled, and how long they are warmed up for that. Decision 22 has
 * the reasons.
 */
public enum Compilers {
    /** The first only: soon done, as for jobs of minutes. */
    FIRST(300, 0, 2, 2, 10, 1, "-XX:TieredStopAtLevel=1"),

    /**
     * The second too, early for what broadcasts, and whole: it may not leave out what it has not
     * seen happen, since a rank that waits long between two messages would interpret that. As for
     * jobs that run on.
     */
    BOTH(
            1500,
            45,
            8,
            2,
            30,
            10,
            "-XX:PerMethodTrapLimit=0 -XX:PerBytecodeTrapLimit=0 -XX:CompileCommand=quiet"
                    + " -XX:CompileCommand=CompileThresholdScaling,org.madcast.client.*::*,0.1");

    private static final int LARGE_BYTES = 160 << 10;
    private static final long NS_PER_S = 1_000_000_000;

    private final int warmUpCalls;
    private final int leastWarmUpSeconds;
    private final int warmUpSeconds;
    private final int largeWarmUpSeconds;
    private final int lossyWarmUpSeconds;
    private final int floorWarmUps;
    private final String options;

    Compilers(
            int calls,
            int leastSeconds,
            int seconds,
            int largeSeconds,
            int lossySeconds,
            int floorWarmUps,
            String options) {
        this.warmUpCalls = calls;
        this.leastWarmUpSeconds = leastSeconds;
        this.warmUpSeconds = seconds;
        this.largeWarmUpSeconds = largeSeconds;
        this.lossyWarmUpSeconds = lossySeconds;
        this.floorWarmUps = floorWarmUps;
        this.options = options;
    }

    /** For each rank's JVM. */
    public List<String> options() {
        return List.of(options.split(" "));
    }

    /** Whatever was called so often is compiled, when the compilers have had time for it. */
    int warmUpCalls() {
        return warmUpCalls;
    }

    /** The compilers of many ranks need so long on two processors for all that is measured. */
    long leastWarmUpNs() {
        return leastWarmUpSeconds * NS_PER_S;
    }

    /** How many messages the bare network is warmed up with. */
    int floorWarmUps() {
        return floorWarmUps;
    }

    /**
     * How long it is called at most. With loss that is longer, for what is done once a lost
     * fragment.
     */
    long warmUpNs(int messageBytes, boolean lossy) {
        int lossless = messageBytes > LARGE_BYTES ? largeWarmUpSeconds : warmUpSeconds;
        return (lossy ? lossyWarmUpSeconds : lossless) * NS_PER_S;
    }
}

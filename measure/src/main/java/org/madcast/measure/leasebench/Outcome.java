package org.madcast.measure.leasebench;

import com.grack.nanojson.JsonObject;

/** What came of a load. Immutable but for the array, which is not shared. */
final class Outcome {

    private final long cycles;
    private final double seconds;
    private final long[] latenciesNs;

    /**
     * An outcome.
     *
     * @param cycles what was done so often
     * @param seconds how long it took
     * @param latenciesNs what a user waited for, sorted; kept, not copied
     */
    Outcome(long cycles, double seconds, long[] latenciesNs) {
        this.cycles = cycles;
        this.seconds = seconds;
        this.latenciesNs = latenciesNs;
    }

    double perSecond() {
        return cycles / seconds;
    }

    double percentileMs(double percent) {
        if (latenciesNs.length == 0) {
            return Double.NaN;
        }
        int index = (int) Math.ceil(percent / 100 * latenciesNs.length) - 1;
        return latenciesNs[Math.max(0, index)] / 1e6;
    }

    /** For a script; {@code what} names the cycles. */
    JsonObject toJson(String what) {
        JsonObject each = new JsonObject();
        each.put(what, cycles);
        each.put("seconds", seconds);
        each.put(what + "PerSecond", perSecond());
        each.put("p50Ms", percentileMs(50));
        each.put("p99Ms", percentileMs(99));
        each.put("maxMs", percentileMs(100));
        return each;
    }
}

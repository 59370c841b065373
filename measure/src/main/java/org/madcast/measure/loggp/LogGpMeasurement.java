package org.madcast.measure.loggp;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.madcast.measure.loggp.LineFit.Point;

/**
 * Measures all parameters with an echo. As in seed 004, with one difference: G_all is taken from
 * the second half of a long train, (PRTT(n, 0, s) - PRTT(n/2, 0, s)) / (n/2), since shapers and
 * switches let a burst pass faster than the line, which would hide it. Decision 39 has the reasons.
 * For one thread.
 */
final class LogGpMeasurement {

    private static final int SAMPLES = 9;
    private static final int OVERHEAD_TRAIN = 16;

    /** Half of a train is more than what shapers let pass at once. */
    private static final int TRAIN_BYTES = 192 << 10;

    /** What a datagram adds on the wire, at least. */
    private static final int FRAME_BYTES = 46;

    private static final List<Integer> SIZES =
            List.of(
                    16, 64, 128, 256, 384, 512, 640, 768, 896, 1024, 1152, 1280, 1400, 1472, 2048,
                    2900, 4096, 5800, 8192, 11_600, 16_384, 24_000, 32_768, 48_000, 65_000);

    /** Hears how far it is. */
    interface Listener {
        /** The part that is done, from 0 to 1. */
        void at(double part);
    }

    private final Listener listener;

    LogGpMeasurement(Listener listener) {
        this.listener = listener;
    }

    /** Sizes up to this one, to one node. */
    LogGp run(RoundTrips trips, int largestBytes) throws IOException {
        double single = singleNs(trips);
        double spaced = trips.median(SAMPLES, OVERHEAD_TRAIN, (long) single, smallest());
        double overhead = (spaced - single) / (OVERHEAD_TRAIN - 1) - single;
        return LogGp.of(single / 2, Math.max(0, overhead), points(trips, largestBytes));
    }

    /**
     * The same to a group: the answer comes by unicast, so that what is left of the round trip
     * without half of a unicast one is the way of the multicast. Both are measured in turn, since
     * what processors do besides changes.
     */
    LogGp ofGroup(RoundTrips trips, RoundTrips unicast, int largestBytes, double overheadNs)
            throws IOException {
        double[] latencies = new double[SAMPLES];
        double _ = singleNs(unicast) + singleNs(trips); // what runs first is slow
        for (int i = 0; i < SAMPLES; i++) {
            double answerNs = unicast.median(SAMPLES, 1, 0, smallest()) / 2;
            latencies[i] = trips.median(SAMPLES, 1, 0, smallest()) - answerNs;
        }
        double latencyNs = Math.max(0, Median.of(latencies));
        return LogGp.of(latencyNs, overheadNs, points(trips, largestBytes));
    }

    /** One message to each node, answered by each (seed 004, section II.1.2). */
    static RoundTrips.Trip fan(RoundTrips trips) throws IOException {
        RoundTrips.Trip _ = trips.medianTrip(SAMPLES, 1, 0, smallest());
        return trips.medianTrip(5 * SAMPLES, 1, 0, smallest());
    }

    private static int smallest() {
        return SIZES.getFirst();
    }

    private static double singleNs(RoundTrips trips) throws IOException {
        double _ = trips.median(5 * SAMPLES, 1, 0, smallest()); // what runs first is slow
        return trips.median(5 * SAMPLES, 1, 0, smallest());
    }

    private List<Point> points(RoundTrips trips, int largestBytes) throws IOException {
        List<Point> points = new ArrayList<>();
        List<Integer> sizes = SIZES.stream().filter(size -> size <= largestBytes).toList();
        for (int size : sizes) {
            listener.at((double) points.size() / sizes.size());
            points.add(new Point(size, gapNs(trips, size)));
        }
        return points;
    }

    private static double gapNs(RoundTrips trips, int bytes) throws IOException {
        int count = 2 * Math.max(8, TRAIN_BYTES / (bytes + FRAME_BYTES));
        double whole = trips.median(SAMPLES, count, 0, bytes);
        double half = trips.median(SAMPLES, count / 2, 0, bytes);
        return Math.max(0, whole - half) / (count - count / 2);
    }
}

package org.madcast.measure.loggp;

import java.util.ArrayList;
import java.util.List;
import org.madcast.measure.loggp.LineFit.Point;

/**
 * Finds the sizes from which on another protocol is used (seed 004, section II.2.4.2.5): where the
 * line through the points so far fits clearly worse with each of the next few points.
 *
 * <p>Example: with values 10, 12, 14, 16, 40, 44, 48, 52 at sizes 1 to 8 the lines through the
 * first three and through the first four points fit; with the fifth, the sixth and the seventh they
 * do not, so a protocol begins at size 5.
 */
final class ProtocolChanges {

    private static final int LEAST_POINTS = 3;
    private static final int LOOK_AHEAD = 3;

    /** The deviation must grow by this factor; the deviation is a square. */
    private static final double FACTOR = 4.0;

    /** A deviation below this share of the values is noise: what is nearly 0 grows easily. */
    private static final double NOISE = 0.03;

    private ProtocolChanges() {}

    /** The points of each protocol, in the order of sizes; never without a point. */
    static List<List<Point>> split(List<Point> points) {
        List<List<Point>> protocols = new ArrayList<>();
        int first = 0;
        for (int next = LEAST_POINTS; next < points.size(); next++) {
            if (next - first >= LEAST_POINTS && changes(points, first, next)) {
                protocols.add(points.subList(first, next));
                first = next;
            }
        }
        protocols.add(points.subList(first, points.size()));
        return protocols;
    }

    private static boolean changes(List<Point> points, int first, int next) {
        double noise = NOISE * points.get(next).ns();
        double before =
                Math.max(LineFit.of(points.subList(first, next)).deviation(), noise * noise);
        int last = next + LOOK_AHEAD;
        if (last > points.size()) {
            return false; // too few to tell a change from an outlier
        }
        LineFit line = LineFit.of(points.subList(first, next));
        for (int end = next + 1; end <= last; end++) {
            if (isOn(line, points.get(end - 1), before)) {
                return false;
            }
            if (LineFit.of(points.subList(first, end)).deviation() <= FACTOR * before) {
                return false;
            }
        }
        return true;
    }

    /** One point that is off makes all fits worse; so each of them must be off by itself. */
    private static boolean isOn(LineFit line, Point point, double before) {
        double distance = line.at(point.bytes()) - point.ns();
        double noise = NOISE * point.ns();
        return distance * distance <= FACTOR * Math.max(before, noise * noise);
    }
}

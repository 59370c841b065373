package org.madcast.measure.loggp;

import java.util.List;

/**
 * The line that lies nearest to points, by least squares; the vertical distances count.
 *
 * @param gap its value at size 1, g, in nanoseconds
 * @param perByte its slope, G, in nanoseconds per byte
 * @param deviation the mean of the squared distances, over the degrees of freedom that are left
 */
record LineFit(double gap, double perByte, double deviation) {

    /** What was measured for messages of one size. */
    record Point(int bytes, double ns) {}

    /** Through at least two points of different sizes. */
    static LineFit of(List<Point> points) {
        int count = points.size();
        double meanSize = points.stream().mapToDouble(Point::bytes).average().orElseThrow();
        double meanNs = points.stream().mapToDouble(Point::ns).average().orElseThrow();
        double product = 0;
        double square = 0;
        for (Point point : points) {
            product += (point.bytes() - meanSize) * (point.ns() - meanNs);
            square += (point.bytes() - meanSize) * (point.bytes() - meanSize);
        }
        if (square == 0) {
            throw new IllegalArgumentException("a line needs two sizes, not " + points);
        }
        double slope = product / square;
        double atOne = meanNs + slope * (1 - meanSize);
        double sum = 0;
        for (Point point : points) {
            double distance = atOne + slope * (point.bytes() - 1) - point.ns();
            sum += distance * distance;
        }
        return new LineFit(atOne, slope, sum / Math.max(1, count - 2));
    }

    double at(int bytes) {
        return gap + perByte * (bytes - 1);
    }
}

package org.madcast.measure.reproduce;

/**
 * A number of a paper and the one found here.
 *
 * @param what it tells
 * @param unit such as ms; empty for a factor
 * @param published NaN where the paper has a picture only
 * @param found here
 * @param verdict empty where they are not compared
 */
record Point(String what, String unit, double published, double found, String verdict) {

    static Point of(
            String what, String unit, double published, double found, Expectation expectation) {
        String verdict = Double.isNaN(published) ? "" : expectation.verdict(published, found);
        return new Point(what, unit, published, found, verdict);
    }
}

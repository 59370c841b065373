package org.madcast.measure.reproduce;

/** How a number found here is held against a published one. */
enum Expectation {
    /** It should be at least as large. */
    AT_LEAST,
    /** It should be at most as large. */
    AT_MOST,
    /** It should differ by a quarter at most. */
    NEAR,
    /** It is only shown: another network, or another machine. */
    SHOWN;

    private static final double NEAR_ENOUGH = 0.25;

    /** What is said of it. */
    String verdict(double published, double found) {
        return switch (this) {
            case AT_LEAST -> found >= published ? "reached" : "less";
            case AT_MOST -> found <= published ? "reached" : "more";
            case NEAR ->
                    Math.abs(found / published - 1) <= NEAR_ENOUGH
                            ? "near"
                            : found < published ? "less" : "more";
            case SHOWN -> "";
        };
    }
}

package org.madcast.measure.reproduce;

import java.util.ArrayList;
import java.util.List;

/** What running a figure has found so far. One thread adds to it; any may read what there is. */
final class Finding {

    /** Told how far a figure is. */
    interface Listener {

        /** The part that is done, 0 to 1. */
        void at(double part);
    }

    /** A place in the chart. */
    record Place(double x, double y) {}

    /** A line of the chart. */
    record Series(String name, List<Place> places) {}

    private final List<Point> points = new ArrayList<>();
    private final List<Series> series = new ArrayList<>();
    private final Listener listener;

    Finding(Listener listener) {
        this.listener = listener;
    }

    /** A number. */
    synchronized void add(
            String what, String unit, double published, double found, Expectation expectation) {
        points.add(Point.of(what, unit, published, found, expectation));
    }

    /** A number that the paper does not have, or only shows. */
    void show(String what, String unit, double found) {
        add(what, unit, Double.NaN, found, Expectation.SHOWN);
    }

    /** A place on a line of the chart, which begins with it. */
    synchronized void place(String line, double x, double y) {
        Series found = series.stream().filter(it -> it.name.equals(line)).findFirst().orElse(null);
        if (found == null) {
            found = new Series(line, new ArrayList<>());
            series.add(found);
        }
        found.places.add(new Place(x, y));
    }

    void progress(double part) {
        listener.at(part);
    }

    synchronized List<Point> points() {
        return List.copyOf(points);
    }

    synchronized List<Series> series() {
        return series.stream().map(it -> new Series(it.name, List.copyOf(it.places))).toList();
    }
}

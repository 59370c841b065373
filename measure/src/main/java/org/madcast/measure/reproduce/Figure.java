package org.madcast.measure.reproduce;

/**
 * A figure, table or number of a paper that can be run here.
 *
 * @param name the seed's number and the figure's, such as {@code 000-18}
 * @param title what it shows
 * @param network what it was run on there, and is here
 * @param axes what the chart has from left to right and upwards
 * @param why where the numbers differ from the published ones, and for what reason
 * @param run runs it
 */
record Figure(String name, String title, String network, String axes, String why, Runner run) {

    /** Runs a figure. */
    interface Runner {

        /** Adds what it finds, piece by piece. */
        void run(Finding finding);
    }

    /** The number of the paper. */
    String seed() {
        return name.substring(0, name.indexOf('-'));
    }
}

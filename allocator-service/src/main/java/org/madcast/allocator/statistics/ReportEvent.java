package org.madcast.allocator.statistics;

import java.util.List;

/** What became of a report. */
public sealed interface ReportEvent {

    /**
     * They are on disk.
     *
     * @param many how many
     * @param repeated true when the reports were known already and were not counted again
     */
    record Taken(long many, boolean repeated) implements ReportEvent {}

    /** Too many were waiting; the rank is asked to retry. */
    record Refused() implements ReportEvent {}

    /**
     * A rollup took in reports.
     *
     * @param sums what the ranks of each communicator did since the last one
     */
    record Rolled(List<IntervalSums> sums) implements ReportEvent {}
}

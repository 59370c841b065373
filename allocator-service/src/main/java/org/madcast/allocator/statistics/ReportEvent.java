package org.madcast.allocator.statistics;

/** What became of a report. */
public sealed interface ReportEvent {

    /**
     * It is on disk.
     *
     * @param repeated true when the report was known already and was not counted again
     */
    record Taken(boolean repeated) implements ReportEvent {}

    /** Too many were waiting; the rank is told to come again. */
    record Refused() implements ReportEvent {}

    /**
     * A rollup took in reports; the sums of all communicators together since the last one.
     *
     * @param sums what the ranks did
     */
    record Rolled(IntervalSums sums) implements ReportEvent {}
}

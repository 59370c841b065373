package org.madcast.allocator.statistics;

/** What became of a report. */
public sealed interface ReportEvent {

    /**
     * They are on disk.
     *
     * @param many how many
     * @param repeated true when the reports were known already and were not counted again
     */
    record Taken(long many, boolean repeated) implements ReportEvent {}

    /** Too many were waiting; the rank is told to come again. */
    record Refused() implements ReportEvent {}

    /**
     * A rollup took in reports; the sums of all communicators together since the last one.
     *
     * @param sums what the ranks did
     */
    record Rolled(IntervalSums sums) implements ReportEvent {}
}

package org.madcast.allocator.statistics;

/**
 * A rank reported.
 *
 * @param repeated true when the report was known already and was not counted again
 */
public record ReportEvent(boolean repeated) {}

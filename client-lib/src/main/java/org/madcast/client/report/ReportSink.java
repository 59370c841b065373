package org.madcast.client.report;

import java.io.IOException;
import java.util.Map;
import java.util.OptionalInt;

/** Where reports go. Called by the reporter's thread only. */
@FunctionalInterface
public interface ReportSink {

    /**
     * Sends a report and waits for the answer, for a time that the sink bounds.
     *
     * @param report the fields of a report but for its sender's
     * @return the root delay that the service advises, in microseconds; empty when the report was
     *     refused for good
     * @throws IOException when the same report may be sent again later
     * @throws InterruptedException when the thread was interrupted, which must end the call
     */
    OptionalInt send(Map<String, Object> report) throws IOException, InterruptedException;
}

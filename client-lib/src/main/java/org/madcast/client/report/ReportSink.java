package org.madcast.client.report;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** Where reports go. */
@FunctionalInterface
public interface ReportSink {

    /**
     * Sends a report and waits for the answer, for a time that the sink bounds. Called by the
     * reporter's thread only.
     *
     * @param report the fields of a report but for its sender's
     * @return the root delays that the service advises, in microseconds by site (size class and,
     *     behind a space, label if there is one; an empty site is any other); nothing when the
     *     report was refused for good
     * @throws IOException when the same report may be sent again later
     * @throws InterruptedException when the thread was interrupted, which must end the call
     */
    Optional<Map<String, Integer>> send(Map<String, Object> report)
            throws IOException, InterruptedException;

    /**
     * The last report is next: what is under way must end soon, with an exception if need be.
     * Called once, by the thread that closes the reporter.
     */
    default void hurry() {}
}

package org.madcast.client.lease;

/** What became of a report, sent by itself or passed on with others. */
sealed interface RelayOutcome {

    /** The service has it; {@code advice} is its answer, a JSON object. */
    record Taken(String advice) implements RelayOutcome {}

    /** The service cannot take it now; the same report may be sent again later. */
    record Away(String reason) implements RelayOutcome {}

    /**
     * Not this way: what was to be passed on the rank has to say itself, and what it said is lost.
     */
    record Refused() implements RelayOutcome {}
}

package org.madcast.client.lease;

/** What became of a report that another rank was to pass on. */
sealed interface RelayOutcome {

    /** The service has it; {@code advice} is its answer, a JSON object. */
    record Taken(String advice) implements RelayOutcome {}

    /** The service cannot take it now; the same report may be sent again later. */
    record Away(String reason) implements RelayOutcome {}

    /** It was not passed on: the rank has to speak for itself. */
    record Alone() implements RelayOutcome {}
}

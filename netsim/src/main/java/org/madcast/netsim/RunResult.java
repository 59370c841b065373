package org.madcast.netsim;

/** How a run of a {@link Simulation} ended. */
public enum RunResult {
    /** The condition came true. */
    DONE,
    /** The next event lies beyond the limit; the clock stands at the limit. */
    TIME_LIMIT,
    /** Nothing will ever happen again: no datagram in flight, no deadline, no action. */
    IDLE
}

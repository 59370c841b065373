package org.madcast.measure.bench;

import java.util.Optional;

/**
 * How a call is timed.
 *
 * @param clock which clock tells; empty for the one that suits the hosts
 * @param skewNs each rank calls by up to so much later than the root
 * @param idle whether ranks sleep where they would compute, since they share processors
 * @param perRank whether the result has a row for each rank
 */
public record Method(
        Mode mode, Optional<ClockKind> clock, long skewNs, boolean idle, boolean perRank) {

    /** Calls that are alone and not skewed. */
    public static final Method PLAIN = new Method(Mode.ISOLATED, Optional.empty(), 0, false, false);

    /** The clock for hosts that share one, or do not. */
    ClockKind clock(boolean shared) {
        return clock.orElse(shared ? ClockKind.SHARED : ClockKind.SYNCHRONISED);
    }
}

package org.madcast.allocator.lease;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What came of a renewal or a release. */
public sealed interface RenewalOutcome {

    /**
     * It was renewed.
     *
     * @param expiresAt when it ends now
     */
    record Done(Instant expiresAt) implements RenewalOutcome {}

    /**
     * It was given back.
     *
     * @param scope its scope
     * @param releasedAt when
     */
    record Released(String scope, Instant releasedAt) implements RenewalOutcome {}

    /**
     * Another lease has one of its groups from then on: this one cannot run longer.
     *
     * @param until when that other lease starts, null when that is no longer so
     */
    record Obstructed(@Nullable Instant until) implements RenewalOutcome {}

    /** There is no such lease, or the secret is wrong; the answer does not say which. */
    record NoSuchLease() implements RenewalOutcome {}

    /** It is another's. */
    record Foreign() implements RenewalOutcome {}

    /**
     * It had ended, and its groups may be in another lease by now.
     *
     * @param endedAt when
     */
    record Ended(Instant endedAt) implements RenewalOutcome {}

    /**
     * The scope's longest lease is shorter.
     *
     * @param longest its longest
     */
    record TooLong(Duration longest) implements RenewalOutcome {}
}

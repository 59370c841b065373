package org.madcast.allocator.madcap;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.madcast.madcap.AddressRange;
import org.madcast.madcap.MadcapError;

/** What came of a request that was admitted. Times are in seconds since 1970. */
sealed interface MadcapOutcome {

    /**
     * Addresses are leased, or held for an offer.
     *
     * @param ranges the addresses
     * @param leaseSeconds from the start, or, when there is none, from now
     * @param startEpochSeconds when the lease starts; null when it has
     * @param nowEpochSeconds the database's time
     */
    record Granted(
            List<AddressRange> ranges,
            long leaseSeconds,
            @Nullable Long startEpochSeconds,
            long nowEpochSeconds)
            implements MadcapOutcome {}

    /**
     * There may be addresses later.
     *
     * @param leaseSeconds how long a lease would be
     * @param retryEpochSeconds when to ask again
     * @param nowEpochSeconds the database's time
     */
    record Later(long leaseSeconds, long retryEpochSeconds, long nowEpochSeconds)
            implements MadcapOutcome {}

    /** The lease is no more. */
    record Released() implements MadcapOutcome {}

    /** It was not done. */
    record Refused(MadcapError error) implements MadcapOutcome {}
}

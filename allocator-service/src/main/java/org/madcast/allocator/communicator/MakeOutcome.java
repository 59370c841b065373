package org.madcast.allocator.communicator;

import org.madcast.allocator.lease.GrantOutcome;

/** What came of making or finding a communicator. */
public sealed interface MakeOutcome {

    /**
     * Here it is.
     *
     * @param communicator the communicator
     * @param made true when this call made it
     */
    record Found(Communicator communicator, boolean made) implements MakeOutcome {}

    /**
     * It lives, and has another size.
     *
     * @param expectedSize its size
     */
    record SizeMismatch(int expectedSize) implements MakeOutcome {}

    /**
     * It would have been made, but there was no group for it.
     *
     * @param refusal why not
     */
    record NoGroup(GrantOutcome.Refused refusal) implements MakeOutcome {}
}

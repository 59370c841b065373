package org.madcast.allocator.communicator;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.lease.GrantOutcome;
import org.madcast.allocator.lease.Refusals;
import org.madcast.allocator.web.Problem;

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
    record NoGroup(GrantOutcome.Refused refusal) implements MakeOutcome {

        Problem problem() {
            return Refusals.of(refusal);
        }
    }

    /** The parent, or the child of this name, is another's. */
    record Foreign() implements MakeOutcome {}

    /** There is no such parent. */
    record NoSuchParent() implements MakeOutcome {}

    /**
     * The parent has ended.
     *
     * @param endedAt when
     * @param reason why
     */
    record ParentEnded(Instant endedAt, @Nullable String reason) implements MakeOutcome {}

    /**
     * No child of this parent can be so.
     *
     * @param field what is wrong
     * @param message what must be true of it
     */
    record NoChild(String field, String message) implements MakeOutcome {}
}

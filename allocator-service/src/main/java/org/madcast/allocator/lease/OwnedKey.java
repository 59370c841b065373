package org.madcast.allocator.lease;

import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.lease.LeaseGrants.Grant;
import org.madcast.allocator.web.Requester;

/**
 * Idempotency keys as they are stored: a hash of the owner and the key, so that another's same key
 * is another key. Those of no owner are hashed alone.
 */
final class OwnedKey {

    /** No header's value has it, so no key is another owner's key. */
    private static final char BETWEEN = '\n';

    private OwnedKey() {}

    /** What is stored of a request's key; null when it has none. */
    static @Nullable String hash(Grant grant) {
        @Nullable String key = grant.idempotencyKey();
        @Nullable String owner = grant.owner();
        if (key == null) {
            return null;
        }
        return Secrets.hash(
                owner == null || owner.equals(Requester.NO_TOKEN) ? key : owner + BETWEEN + key);
    }

    /** Where a request's key is looked for: as its owner's, else as it was before owners were. */
    static Stream<String> lookedFor(Grant grant) {
        @Nullable String key = grant.idempotencyKey();
        @Nullable String own = hash(grant);
        return key == null || own == null
                ? Stream.empty()
                : Stream.of(own, Secrets.hash(key)).distinct();
    }

    /** Whether what was found is this request's: its owner's, or from before owners were noted. */
    static boolean isOf(LeaseStore.Known found, Grant grant) {
        @Nullable String of = found.ownedBy();
        return of == null || of.equals(grant.owner());
    }
}

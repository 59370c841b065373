package org.madcast.allocator.lease;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.UUID;

/**
 * New numbers of leases: UUIDs of version 7 (RFC 9562, section 5.7), which begin with the time.
 * What is written one after the other thus stands side by side in the database's indexes, where
 * numbers drawn at random would touch, and after a checkpoint write whole, a page each. From any
 * thread.
 */
final class LeaseNumbers {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final long VERSION_7 = 0x7000L;
    private static final long VARIANT = 1L << 63;

    private LeaseNumbers() {}

    /** What comes before the numbers of this time and all later ones, in the database's order. */
    static UUID before(Instant time) {
        return new UUID(time.toEpochMilli() << 16, 0);
    }

    /** An unused number; 74 bits of it are random. */
    static UUID next() {
        long high = System.currentTimeMillis() << 16 | VERSION_7 | RANDOM.nextInt(1 << 12);
        long low = VARIANT | RANDOM.nextLong() >>> 2;
        return new UUID(high, low);
    }
}

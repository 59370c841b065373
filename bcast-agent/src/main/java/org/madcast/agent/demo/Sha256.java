package org.madcast.agent.demo;

import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256 over memory of any size. For one thread. */
final class Sha256 {

    /** The digest's length. */
    static final int BYTES = 32;

    private static final long STEP_BYTES = 1 << 20;

    private final MessageDigest digest;

    Sha256() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    void update(MemorySegment content) {
        for (long offset = 0; offset < content.byteSize(); offset += STEP_BYTES) {
            long stepBytes = Math.min(STEP_BYTES, content.byteSize() - offset);
            digest.update(content.asSlice(offset, stepBytes).asByteBuffer());
        }
    }

    byte[] finish() {
        return digest.digest();
    }
}

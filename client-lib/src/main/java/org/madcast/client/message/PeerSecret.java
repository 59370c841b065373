package org.madcast.client.message;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.madcast.client.JobKey;

/**
 * What the ranks of a world have in common, and prove to each other before a byte of a connection
 * is accepted: HMAC-SHA256 with a key derived from the job's key, or from the token where the job
 * has none. With a job's key the connection is sealed too, with keys of its own. Safe for every
 * thread.
 */
final class PeerSecret {

    static final int MAC_BYTES = 32;
    private static final String HMAC = "HmacSHA256";

    private final SecretKey key;
    private final boolean seals;

    private PeerSecret(SecretKey key, boolean seals) {
        this.key = key;
        this.seals = seals;
    }

    static PeerSecret of(@Nullable JobKey jobKey, long token) {
        byte[] tokenBytes = ByteBuffer.allocate(Long.BYTES).putLong(token).array();
        return jobKey == null
                ? new PeerSecret(new SecretKeySpec(tokenBytes, HMAC), false)
                : new PeerSecret(jobKey.ofMessages(token), true);
    }

    /** Whether frames are encrypted and authenticated. */
    boolean seals() {
        return seals;
    }

    /** What names the world to one who does not know the secret, and betrays nothing of it. */
    long worldId() {
        return ByteBuffer.wrap(mac("world")).getLong();
    }

    /** Proves that the parts were written by a process that knows the secret. */
    byte[] mac(String purpose, byte[]... parts) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(key);
            mac.update(purpose.getBytes(StandardCharsets.US_ASCII));
            mac.update((byte) 0);
            for (byte[] part : parts) {
                mac.update(part);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("every Java platform has " + HMAC, missing);
        }
    }

    boolean isMac(byte[] shown, String purpose, byte[]... parts) {
        return MessageDigest.isEqual(shown, mac(purpose, parts));
    }
}

package org.madcast.client.lease;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.madcast.client.JobKey;

/**
 * By what the ranks of a communicator know each other's reports: HMAC-SHA256 with a key that comes
 * from the job's key, or where there is none from the token. Counters are no secret, so they are
 * not hidden. Safe for every thread.
 */
final class RelaySeal {

    private static final String HMAC = "HmacSHA256";

    private final SecretKey key;

    private RelaySeal(SecretKey key) {
        this.key = key;
    }

    static RelaySeal of(@Nullable JobKey jobKey, long token) {
        byte[] tokenBytes = ByteBuffer.allocate(Long.BYTES).putLong(token).array();
        return new RelaySeal(
                jobKey == null ? new SecretKeySpec(tokenBytes, HMAC) : jobKey.ofReports(token));
    }

    /** What proves that a text was written by one who knows the key, in answer to {@code asked}. */
    String mac(String asked, String text) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(key);
            mac.update(asked.getBytes(StandardCharsets.UTF_8));
            mac.update((byte) 0);
            return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("every Java platform has " + HMAC, missing);
        }
    }

    void check(String asked, String text, String shown) throws IOException {
        byte[] expected = mac(asked, text).getBytes(StandardCharsets.US_ASCII);
        if (!MessageDigest.isEqual(expected, shown.getBytes(StandardCharsets.US_ASCII))) {
            throw new IOException("not of this communicator");
        }
    }
}

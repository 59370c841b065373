package org.madcast.client;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * A secret that the ranks of a job share. With one, every datagram is sealed: who does not have it
 * can neither read a message nor forge or change a datagram. Immutable; never printed.
 */
public final class JobKey {

    private static final String DATAGRAMS = "madcast datagrams 1";
    private static final String REPORTS = "madcast reports 1";
    private static final String MESSAGES = "madcast messages 1";
    private static final String MEETING = "madcast meeting 1";
    private static final String HMAC = "HmacSHA256";

    private final byte[] secret;

    private JobKey(byte[] secret) {
        this.secret = secret;
    }

    /**
     * Reads a key as {@code openssl rand -hex 32} prints it.
     *
     * @param hex 32 to 128 hexadecimal digits
     * @throws IllegalArgumentException when it is not that; the message does not show it
     */
    public static JobKey ofHex(String hex) {
        try {
            byte[] secret = HexFormat.of().parseHex(hex.trim());
            if (secret.length < 16 || secret.length > 64) {
                throw new IllegalArgumentException("a key has 32 to 128 hexadecimal digits");
            }
            return new JobKey(secret);
        } catch (IllegalArgumentException invalid) {
            throw new IllegalArgumentException(
                    "not a key: 32 to 128 hexadecimal digits, as 'openssl rand -hex 32' prints");
        }
    }

    /** The AES-256 key of one communicator: no two communicators seal with the same. */
    public SecretKey ofCommunicator(long token) {
        return new SecretKeySpec(derived(DATAGRAMS, token), "AES");
    }

    /** The HMAC-SHA256 key by which one communicator's ranks know each other's reports. */
    public SecretKey ofReports(long token) {
        return new SecretKeySpec(derived(REPORTS, token), HMAC);
    }

    /** The HMAC-SHA256 key by which one communicator's ranks recognise each other's connections. */
    public SecretKey ofMessages(long token) {
        return new SecretKeySpec(derived(MESSAGES, token), HMAC);
    }

    /** The HMAC-SHA256 key by which ranks know each other when they meet at rank 0. */
    public SecretKey ofMeeting() {
        return new SecretKeySpec(derived(MEETING, 0), HMAC);
    }

    private byte[] derived(String purpose, long token) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(secret, HMAC));
            mac.update(purpose.getBytes(StandardCharsets.US_ASCII));
            return mac.doFinal(ByteBuffer.allocate(Long.BYTES).putLong(token).array());
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("every Java platform has " + HMAC, missing);
        }
    }

    /** Says that there is a key, not which. */
    @Override
    public String toString() {
        return "JobKey[" + 8 * secret.length + " bits]";
    }
}

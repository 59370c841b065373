package org.madcast.allocator.lease;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Makes secrets and compares them. From any thread.
 *
 * <p>Only hashes are stored. Where a repeated request must get the same secret again, it is derived
 * from something that only the client knows (its idempotency key, its instance number, of both of
 * which again only a hash is stored) and from the installation's key: one of the two is not enough.
 */
@Component
public class Secrets {

    private static final int SECRET_BYTES = 24;
    private static final int KEY_BYTES = 32;

    private final JdbcClient jdbc;
    private final SecureRandom random = new SecureRandom();
    private volatile byte @Nullable [] installationKey;

    Secrets(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** A new secret of 192 bits. */
    public String random() {
        return random(SECRET_BYTES);
    }

    /** A new secret of {@code length} bytes, written in letters, digits, dashes and underscores. */
    public String random(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return encode(bytes);
    }

    /** A new number of 64 bits. */
    public long randomLong() {
        return random.nextLong();
    }

    /** The secret that belongs to these parts: always the same, and only in this installation. */
    public String derived(String... parts) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key(), "HmacSHA256"));
            for (String part : parts) {
                byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
                mac.update((bytes.length + ":").getBytes(StandardCharsets.UTF_8));
                mac.update(bytes);
            }
            return encode(mac.doFinal());
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("every Java has HmacSHA256", missing);
        }
    }

    /** What is stored of a secret. */
    public static String hash(String secret) {
        try {
            byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every Java has SHA-256", missing);
        }
    }

    /** Whether a secret has this hash, in a time that does not depend on either. */
    public static boolean matches(@Nullable String secret, String hash) {
        return areEqual(hash(secret == null ? "" : secret), hash);
    }

    /** Whether two hashes are equal, in a time that does not depend on either. */
    static boolean areEqual(String hash, String other) {
        return MessageDigest.isEqual(
                hash.getBytes(StandardCharsets.US_ASCII),
                other.getBytes(StandardCharsets.US_ASCII));
    }

    /** Reads the installation's key anew: it may be another one now. */
    public void forgetKey() {
        installationKey = null;
    }

    private byte[] key() {
        byte[] known = installationKey;
        if (known == null) {
            byte[] fresh = new byte[KEY_BYTES];
            random.nextBytes(fresh);
            jdbc.sql("insert into installation (key) values (?) on conflict do nothing")
                    .param(fresh)
                    .update();
            known = jdbc.sql("select key from installation").query(byte[].class).single();
            remember(known);
        }
        return known;
    }

    /** A key that was made within a transaction is valid only once that is committed. */
    private void remember(byte[] key) {
        if (!TransactionSynchronizationManager.isSynchronizationActive()) {
            installationKey = key;
            return;
        }
        TransactionSynchronizationManager.registerSynchronization(
                new TransactionSynchronization() {
                    @Override
                    public void afterCommit() {
                        installationKey = key;
                    }
                });
    }

    private static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}

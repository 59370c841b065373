package org.madcast.nativecalls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** libcrypto's SHA-256 is that of the JDK. */
class NativeSha256Test {

    private MessageDigest digest = java();

    private static MessageDigest java() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every JDK has SHA-256", missing);
        }
    }

    @BeforeEach
    void make() {
        assumeTrue(NativeSha256.create().isPresent(), "this system has no libcrypto");
        digest = NativeSha256.create().orElseThrow();
    }

    @Test
    void theDigestOfAbcIsThatOfTheStandard() {
        byte[] abc = digest.digest("abc".getBytes(StandardCharsets.US_ASCII));
        assertThat(HexFormat.of().formatHex(abc))
                .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    @Test
    void itAgreesWithTheJdkHoweverTheBytesCome() {
        Random random = new Random(3);
        MessageDigest expected = java();
        for (int round = 0; round < 50; round++) {
            byte[] bytes = new byte[1 + random.nextInt(100_000)];
            random.nextBytes(bytes);
            int split = random.nextInt(bytes.length);
            digest.update(bytes[0]);
            digest.update(bytes, 1, bytes.length - 1);
            digest.update(ByteBuffer.wrap(bytes, split, bytes.length - split));
            expected.update(bytes);
            expected.update(bytes, split, bytes.length - split);
            // Reading it empties it, so each round begins anew.
            assertThat(digest.digest()).isEqualTo(expected.digest());
        }
    }

    @Test
    void nothingHasADigestToo() {
        digest.update(new byte[10]);
        digest.reset();
        assertThat(digest.digest()).isEqualTo(java().digest());
        assertThat(digest.getDigestLength()).isEqualTo(32);
    }
}

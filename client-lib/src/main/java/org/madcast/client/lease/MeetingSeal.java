package org.madcast.client.lease;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.madcast.client.JobKey;

/**
 * By what a rank and rank 0 know each other on one connection, where the job has a key: HMAC-SHA256
 * with a key that comes from the job's key and of what each side has drawn for this connection.
 * Nothing is hidden. One thread at a time.
 */
final class MeetingSeal {

    /** How long the code behind each text is. */
    static final int MAC_BYTES = 32;

    private static final String HMAC = "HmacSHA256";
    private static final int DRAWN_BYTES = 16;

    private final SecretKey key;
    private final boolean ofRoot;
    private long written;
    private long read;

    private MeetingSeal(SecretKey key, boolean ofRoot) {
        this.key = key;
        this.ofRoot = ofRoot;
    }

    /** What one side contributes to a connection. */
    static String draw() {
        byte[] drawn = new byte[DRAWN_BYTES];
        new SecureRandom().nextBytes(drawn);
        return HexFormat.of().formatHex(drawn);
    }

    /**
     * The seal of one connection.
     *
     * @param drawnByRank what the rank has drawn
     * @param drawnByRoot what rank 0 has drawn
     * @param ofRoot whether this side is rank 0
     */
    static MeetingSeal of(JobKey key, String drawnByRank, String drawnByRoot, boolean ofRoot) {
        String both = JsonWriter.string(JsonArray.from("connection", drawnByRank, drawnByRoot));
        byte[] own = mac(key.ofMeeting(), both.getBytes(StandardCharsets.UTF_8));
        return new MeetingSeal(new SecretKeySpec(own, HMAC), ofRoot);
    }

    /** What proves that the rank which says this hello knows the key. */
    String proof(HelloMessage hello) {
        String said =
                JsonWriter.string(
                        JsonArray.from(
                                "hello",
                                hello.job(),
                                hello.name(),
                                hello.rank(),
                                hello.size(),
                                hello.instance()));
        return HexFormat.of().formatHex(mac(key, said.getBytes(StandardCharsets.UTF_8)));
    }

    boolean isProof(HelloMessage hello, String shown) {
        return MessageDigest.isEqual(
                proof(hello).getBytes(StandardCharsets.UTF_8),
                shown.getBytes(StandardCharsets.UTF_8));
    }

    /** The code of the next text that this side writes. */
    byte[] seal(byte[] text) {
        return code(ofRoot, written++, text);
    }

    /** Passes the next text that the other side wrote. */
    void check(byte[] text, byte[] code) throws IOException {
        if (!MessageDigest.isEqual(code(!ofRoot, read++, text), code)) {
            throw new IOException("what came is not sealed with the job's key");
        }
    }

    private byte[] code(boolean byRoot, long number, byte[] text) {
        ByteBuffer said = ByteBuffer.allocate(1 + Long.BYTES + text.length);
        said.put((byte) (byRoot ? 1 : 2)).putLong(number).put(text);
        return mac(key, said.array());
    }

    private static byte[] mac(SecretKey key, byte[] said) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(key);
            return mac.doFinal(said);
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("every Java platform has " + HMAC, missing);
        }
    }
}

package org.madcast.client.message;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * One direction of a sealed connection: a sequence of records, each its length (32 bits,
 * big-endian) and an AES-256-GCM ciphertext. The nonce is the record's number, so a record that is
 * changed, dropped, repeated or moved does not open.
 */
final class StreamSeal {

    /** The most plain bytes of a record. */
    static final int PLAIN_BYTES = 32 << 10;

    static final int TAG_BYTES = 16;
    static final int LENGTH_BYTES = Integer.BYTES;
    static final int RECORD_BYTES = LENGTH_BYTES + PLAIN_BYTES + TAG_BYTES;

    private final SecretKey key;
    private final Cipher cipher;
    private final int mode;
    private long number;

    private StreamSeal(byte[] key, int mode) {
        this.key = new SecretKeySpec(key, "AES");
        this.mode = mode;
        try {
            this.cipher = Cipher.getInstance("AES/GCM/NoPadding");
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("every Java platform has AES/GCM", missing);
        }
    }

    static StreamSeal sealing(byte[] key) {
        return new StreamSeal(key, Cipher.ENCRYPT_MODE);
    }

    static StreamSeal opening(byte[] key) {
        return new StreamSeal(key, Cipher.DECRYPT_MODE);
    }

    /** Appends a record with all of plain, at most {@link #PLAIN_BYTES}, to out. */
    void seal(ByteBuffer plain, ByteBuffer out) {
        try {
            out.putInt(plain.remaining() + TAG_BYTES);
            next().doFinal(plain, out);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("sealing a record", impossible);
        }
    }

    /**
     * Opens a record, without its length.
     *
     * @throws GeneralSecurityException when it is not the record that the peer sealed
     */
    void open(ByteBuffer record, ByteBuffer out) throws GeneralSecurityException {
        next().doFinal(record, out);
    }

    private Cipher next() throws GeneralSecurityException {
        byte[] nonce = new byte[12];
        ByteBuffer.wrap(nonce).putLong(4, number++);
        cipher.init(mode, key, new GCMParameterSpec(8 * TAG_BYTES, nonce));
        return cipher;
    }
}

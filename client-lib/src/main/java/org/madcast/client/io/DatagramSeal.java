package org.madcast.client.io;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import org.madcast.client.wire.Datagram;
import org.madcast.client.wire.DatagramLayout;

/**
 * Seals datagrams with AES-256-GCM (NIST SP 800-38D). On the wire: the sender's rank (2 bytes) and
 * how many it has sealed before (6 bytes), which together are the nonce and never repeat under one
 * key, then the encrypted datagram, then the tag (16 bytes). For one thread at a time.
 */
final class DatagramSeal {

    /** How much longer a sealed datagram is. */
    static final int OVERHEAD_BYTES = 24;

    private static final int PREFIX_BYTES = 8;
    private static final int TAG_BITS = 128;
    private static final int NONCE_BYTES = 12;
    private static final int RANK_SHIFT = 48;
    private static final long MOST_DATAGRAMS = (1L << RANK_SHIFT) - 1;

    private final SecretKey key;
    private final Cipher sealing;
    private final Cipher opening;
    private final byte[] nonce = new byte[NONCE_BYTES];
    private final byte[] plain;
    private final byte[] sealed;
    private final long rankBits;
    private long count;
    private long openedNumber;

    DatagramSeal(SecretKey key, int rank, int datagramBytes) {
        this.key = key;
        this.rankBits = (long) rank << RANK_SHIFT;
        plain = new byte[datagramBytes];
        sealed = new byte[datagramBytes + OVERHEAD_BYTES];
        try {
            sealing = Cipher.getInstance("AES/GCM/NoPadding");
            opening = Cipher.getInstance("AES/GCM/NoPadding");
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("every Java platform has AES-GCM", missing);
        }
    }

    /** Writes the sealed datagram to {@code out} at the offset; returns its length. */
    int seal(MemorySegment datagram, MemorySegment out, long offset) {
        if (count == MOST_DATAGRAMS) {
            throw new IllegalStateException("no nonce is left for this communicator");
        }
        int bytes = (int) datagram.byteSize();
        long prefix = rankBits | count++;
        ByteBuffer.wrap(sealed).putLong(0, prefix);
        MemorySegment.copy(datagram, ValueLayout.JAVA_BYTE, 0, plain, 0, bytes);
        try {
            sealing.init(Cipher.ENCRYPT_MODE, key, parameters(prefix));
            sealing.updateAAD(sealed, 0, PREFIX_BYTES);
            int length = sealing.doFinal(plain, 0, bytes, sealed, PREFIX_BYTES) + PREFIX_BYTES;
            MemorySegment.copy(sealed, 0, out, ValueLayout.JAVA_BYTE, offset, length);
            return length;
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("sealing failed", impossible);
        }
    }

    /** The rank that a datagram names as its sender; -1 for one that is too short or too long. */
    int sender(Datagram from) {
        int bytes = from.byteSize();
        return bytes < OVERHEAD_BYTES + DatagramLayout.HEADER_BYTES || bytes > sealed.length
                ? -1
                : from.firstShort();
    }

    /** Writes the datagram to {@code out}; returns its length, or -1 when it is not one of ours. */
    int open(MemorySegment from, MemorySegment out) {
        int bytes = (int) from.byteSize();
        if (bytes <= OVERHEAD_BYTES || bytes > sealed.length) {
            return -1;
        }
        MemorySegment.copy(from, ValueLayout.JAVA_BYTE, 0, sealed, 0, bytes);
        try {
            long prefix = ByteBuffer.wrap(sealed).getLong(0);
            opening.init(Cipher.DECRYPT_MODE, key, parameters(prefix));
            opening.updateAAD(sealed, 0, PREFIX_BYTES);
            int length = opening.doFinal(sealed, PREFIX_BYTES, bytes - PREFIX_BYTES, plain, 0);
            MemorySegment.copy(plain, 0, out, ValueLayout.JAVA_BYTE, 0, length);
            openedNumber = prefix & MOST_DATAGRAMS;
            return length;
        } catch (AEADBadTagException foreign) {
            return -1;
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("opening failed", impossible);
        }
    }

    /** How many datagrams its sender had sealed before the one that was opened last. */
    long openedNumber() {
        return openedNumber;
    }

    private GCMParameterSpec parameters(long prefix) {
        ByteBuffer.wrap(nonce).putLong(NONCE_BYTES - Long.BYTES, prefix);
        return new GCMParameterSpec(TAG_BITS, nonce);
    }
}

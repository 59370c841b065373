package org.madcast.client.file;

import java.security.MessageDigest;
import java.util.Arrays;

/** The content of one small file after the other, as the stream brings it. For one thread. */
final class SmallContent implements StreamInput.Records {

    private final byte[] bytes = new byte[SmallFiles.MOST_BYTES];
    private int sizeBytes;
    private int length;
    private boolean tooMuch;

    /** Begins with another file. */
    SmallContent begin(Entry entry) {
        sizeBytes = (int) entry.sizeBytes();
        length = 0;
        tooMuch = false;
        return this;
    }

    @Override
    public void data(byte[] from, int offset, int count) {
        tooMuch |= count > sizeBytes - length;
        if (!tooMuch) {
            System.arraycopy(from, offset, bytes, length, count);
            length += count;
        }
    }

    @Override
    public void hole(long zeros) {
        tooMuch |= zeros > sizeBytes - length;
        if (!tooMuch) {
            Arrays.fill(bytes, length, length + (int) zeros, (byte) 0);
            length += (int) zeros;
        }
    }

    /** Why it cannot be the file; empty when it can. */
    String problem() {
        return tooMuch ? "more came than the file has" : "";
    }

    /** Whether it is what the sender sent. */
    boolean isWhole(Digest sent, MessageDigest digest) {
        digest.reset();
        digest.update(bytes, 0, sizeBytes);
        return length == sizeBytes && sent.equals(Digest.of(digest));
    }

    /** Valid until the next file begins. */
    byte[] bytes() {
        return bytes;
    }
}

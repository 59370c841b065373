package org.madcast.client.file;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.madcast.nativecalls.NativeSha256;

/** A SHA-256 digest: a value. */
final class Digest {

    static final int BYTES = 32;

    private static final int BLOCK_BYTES = 256 << 10;

    private final byte[] bytes;

    private Digest(byte[] bytes) {
        this.bytes = bytes;
    }

    /** What was put into it; it is empty then. */
    static Digest of(MessageDigest digest) {
        return new Digest(digest.digest());
    }

    /** The fastest that there is. */
    static MessageDigest sha256() {
        return NativeSha256.create().orElseGet(Digest::javaSha256);
    }

    /** The JDK's own. */
    private static MessageDigest javaSha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every JDK has SHA-256", missing);
        }
    }

    static Digest of(Path file) throws IOException {
        MessageDigest digest = sha256();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            update(digest, channel, channel.size());
        }
        return of(digest);
    }

    /**
     * Adds the file's first bytes and leaves the channel behind them.
     *
     * @throws IOException also when there are fewer
     */
    static void update(MessageDigest digest, FileChannel channel, long bytes) throws IOException {
        ByteBuffer block = ByteBuffer.allocate((int) Math.min(BLOCK_BYTES, Math.max(1, bytes)));
        channel.position(0);
        for (long left = bytes; left > 0; left -= block.position()) {
            block.clear().limit((int) Math.min(block.capacity(), left));
            if (channel.read(block) < 0) {
                throw new IOException("it became shorter");
            }
            digest.update(block.array(), 0, block.position());
        }
    }

    void write(DataOutput out) throws IOException {
        out.write(bytes);
    }

    static Digest read(DataInput in) throws IOException {
        byte[] bytes = new byte[BYTES];
        in.readFully(bytes);
        return new Digest(bytes);
    }

    static Digest ofBytes(byte[] bytes) {
        return new Digest(bytes.clone());
    }

    void copyTo(byte[] target, int at) {
        System.arraycopy(bytes, 0, target, at, bytes.length);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Digest that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }
}

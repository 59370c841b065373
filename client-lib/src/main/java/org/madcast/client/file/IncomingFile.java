package org.madcast.client.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A file that is being written under its partial name. What comes before the offset from which it
 * is resumed is ignored, zeros become holes. The first problem ends the writing; the partial file
 * remains then, for the next attempt. For one thread.
 */
final class IncomingFile implements StreamInput.Records, AutoCloseable {

    private static final Set<OpenOption> NEW =
            Set.of(
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.WRITE,
                    LinkOption.NOFOLLOW_LINKS);
    private static final Set<OpenOption> OLD =
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

    /** So often what was written is sent on to the disk, so that the end need not wait long. */
    private static final long FLUSH_BYTES = 32L << 20;

    /** Why a file is not taken whose digest is not the sender's. */
    static final String DAMAGED = "what arrived is not what was sent; push it again";

    private static final int OWNER_ACCESS = 0600;
    private static final byte[] ZEROS = new byte[64 << 10];

    private final Entry entry;
    private final Path partial;
    private final FileChannel channel;
    private final MessageDigest digest;
    private long position;
    private final long resumedAt;
    private long flushedAt;
    private boolean endsInHole;
    private String problem = "";

    private IncomingFile(
            Entry entry,
            Path partial,
            FileChannel channel,
            MessageDigest digest,
            long streamOffset,
            long resumedAt)
            throws IOException {
        this.entry = entry;
        this.partial = partial;
        this.channel = channel;
        this.position = streamOffset;
        this.resumedAt = resumedAt;
        this.flushedAt = resumedAt;
        this.digest = digest;
        digest.reset();
        if (resumedAt > 0) {
            Digest.update(digest, channel, resumedAt);
        }
    }

    /**
     * Opens it.
     *
     * @param partial where it is written
     * @param digest to compute its digest with; the file's until it is complete or closed
     * @param streamOffset where in the file the stream begins
     * @param ownOffset how much of the partial file is kept, not less than the stream's offset
     */
    static IncomingFile open(
            Entry entry, Path partial, MessageDigest digest, long streamOffset, long ownOffset)
            throws IOException {
        FileChannel channel =
                ownOffset > 0 ? FileChannel.open(partial, OLD) : create(partial, entry.mode());
        boolean opened = false;
        try {
            if (ownOffset > 0) {
                channel.truncate(ownOffset);
            }
            IncomingFile file =
                    new IncomingFile(entry, partial, channel, digest, streamOffset, ownOffset);
            opened = true;
            return file;
        } finally {
            if (!opened) {
                channel.close();
            }
        }
    }

    private static FileChannel create(Path partial, int mode) throws IOException {
        FileAttribute<?> access =
                PosixFilePermissions.asFileAttribute(Permissions.of(mode | OWNER_ACCESS));
        try {
            return FileChannel.open(partial, NEW, access);
        } catch (FileAlreadyExistsException _) {
            Files.delete(partial);
            return FileChannel.open(partial, NEW, access);
        }
    }

    @Override
    public void data(byte[] bytes, int offset, int length) {
        int known = Math.clamp(resumedAt - position, 0, length);
        position += known;
        if (known < length && problem.isEmpty()) {
            try {
                write(bytes, offset + known, length - known);
            } catch (IOException failed) {
                problem = Problems.describe(failed);
            }
        }
    }

    private void write(byte[] bytes, int offset, int length) throws IOException {
        requireRoom(length);
        ByteBuffer rest = ByteBuffer.wrap(bytes, offset, length);
        for (long at = position; rest.hasRemaining(); at = position + rest.position() - offset) {
            int _ = channel.write(rest, at);
        }
        endsInHole = false;
        digest.update(bytes, offset, length);
        position += length;
        if (position - flushedAt >= FLUSH_BYTES) {
            flushedAt = position;
            channel.force(false);
        }
    }

    private void requireRoom(long length) throws IOException {
        if (length > entry.sizeBytes() - position) {
            throw new IOException("more came than the file has");
        }
    }

    @Override
    public void hole(long length) {
        long known = Math.clamp(resumedAt - position, 0, length);
        position += known;
        long left = length - known;
        if (left > 0 && problem.isEmpty()) {
            try {
                requireRoom(left);
                position += left;
                endsInHole = true;
                for (; left > 0; left -= ZEROS.length) {
                    digest.update(ZEROS, 0, (int) Math.min(left, ZEROS.length));
                }
            } catch (IOException failed) {
                problem = Problems.describe(failed);
            }
        }
    }

    /** Why it could not be written; empty when it could so far. */
    String problem() {
        return problem;
    }

    /**
     * Completes the partial file: all but its name is as it shall be.
     *
     * @param expected the source's digest
     * @param durable whether it must be on the disk when this returns
     * @throws IOException when it is not whole, after it was deleted, or cannot be completed
     */
    void complete(Digest expected, boolean durable) throws IOException {
        if (position != entry.sizeBytes() || !expected.equals(Digest.of(digest))) {
            Files.deleteIfExists(partial);
            throw new IOException(DAMAGED);
        }
        if (endsInHole) {
            int _ = channel.write(ByteBuffer.wrap(ZEROS, 0, 1), position - 1);
        }
        settle(partial, entry);
        if (durable) {
            channel.force(true);
        }
    }

    /** Gives a file its time and, since these may forbid to set that, then its permissions. */
    static void settle(Path file, Entry entry) throws IOException {
        Files.setLastModifiedTime(file, FileTime.from(entry.modifiedNs(), TimeUnit.NANOSECONDS));
        if (!Permissions.areGranted(entry.mode() | OWNER_ACCESS)
                || (entry.mode() & OWNER_ACCESS) != OWNER_ACCESS) {
            Files.setPosixFilePermissions(file, Permissions.of(entry.mode()));
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}

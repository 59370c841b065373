package org.madcast.client.file;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import org.madcast.nativecalls.FileCalls;

/**
 * Small files made and renamed with the fewest calls of a 64-bit Linux: names are looked up in a
 * directory that stays open, and permissions and time are set through the open file. A million
 * files cost little more than their bytes then. What cannot be done is left undone and is the
 * caller's to do in another way, which finds out why. For one thread.
 */
final class SmallFiles implements AutoCloseable {

    /** The largest file that is made at once. */
    static final int MOST_BYTES = 64 << 10;

    private static final int LONGEST_NAME = 1024;
    private static final int O_WRONLY = 1;
    private static final int O_CREAT = 0100;
    private static final int O_EXCL = 0200;
    private static final int O_CLOEXEC = 02000000;
    private static final long UTIME_OMIT = 0x3ffffffe;
    private static final long NS_PER_S = 1_000_000_000;
    private static final int NONE = -1;

    private final FileCalls calls;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment content = arena.allocate(MOST_BYTES, 64);
    private final MemorySegment name = arena.allocate(LONGEST_NAME);
    private final MemorySegment newName = arena.allocate(LONGEST_NAME);
    private final MemorySegment times = arena.allocate(4L * Long.BYTES, Long.BYTES);
    private Path directory = Path.of("");
    private int handle = NONE;

    private SmallFiles(FileCalls calls) {
        this.calls = calls;
        times.set(JAVA_LONG, Long.BYTES, UTIME_OMIT);
    }

    /** One, where the system has what it needs. */
    static Optional<SmallFiles> create() {
        return FileCalls.load().functions().map(SmallFiles::new);
    }

    /**
     * Makes a file that was not there.
     *
     * @param directory where; it leads nowhere else
     * @param mode its permissions
     * @param modifiedNs its time, nanoseconds since 1970
     * @return false when it could not be made; then it is not there
     */
    boolean write(
            Path directory, String file, byte[] bytes, int length, int mode, long modifiedNs) {
        if (length > MOST_BYTES || !enter(directory) || !put(file, name)) {
            return false;
        }
        int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
        int descriptor = calls.openat().call(handle, name, flags, mode);
        if (descriptor < 0) {
            return false;
        }
        MemorySegment.copy(bytes, 0, content, JAVA_BYTE, 0, length);
        times.set(JAVA_LONG, 2L * Long.BYTES, Math.floorDiv(modifiedNs, NS_PER_S));
        times.set(JAVA_LONG, 3L * Long.BYTES, Math.floorMod(modifiedNs, NS_PER_S));
        boolean made =
                (length == 0 || calls.write().call(descriptor, content, length) == length)
                        && (Permissions.areGranted(mode)
                                || calls.fchmod().call(descriptor, mode) == 0)
                        && calls.futimens().call(descriptor, times) == 0;
        made &= calls.close().call(descriptor) == 0;
        if (!made) {
            int _ = calls.unlinkat().call(handle, name, 0);
        }
        return made;
    }

    /** Gives a file another name in its directory, atomically; false when it could not. */
    boolean rename(Path directory, String from, String to) {
        return enter(directory)
                && put(from, name)
                && put(to, newName)
                && calls.renameat().call(handle, name, handle, newName) == 0;
    }

    /** Most files lie in the directory of the last one. */
    private boolean enter(Path wanted) {
        if (handle != NONE && wanted.equals(directory)) {
            return true;
        }
        leave();
        if (!Destination.isPlain(wanted.toString())) {
            return false;
        }
        try (Arena local = Arena.ofConfined()) {
            MemorySegment path = local.allocateFrom(wanted.toString(), StandardCharsets.UTF_8);
            handle = calls.open(path);
        }
        directory = wanted;
        return handle >= 0;
    }

    private void leave() {
        if (handle >= 0) {
            int _ = calls.close().call(handle);
        }
        handle = NONE;
    }

    /** Only plain names, which are the same in every encoding; others go the other way. */
    private static boolean put(String text, MemorySegment to) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        if (bytes.length >= LONGEST_NAME || text.indexOf('/') >= 0 || !Destination.isPlain(text)) {
            return false;
        }
        MemorySegment.copy(bytes, 0, to, JAVA_BYTE, 0, bytes.length);
        to.set(JAVA_BYTE, bytes.length, (byte) 0);
        return true;
    }

    @Override
    public void close() {
        leave();
        arena.close();
    }
}

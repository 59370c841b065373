package org.madcast.client.file;

/**
 * How to broadcast files. Mode and flags are the sender's: receivers do what it says. Memory and
 * listener are each rank's own.
 *
 * @param mode what happens to files that exist
 * @param delta whether files whose size, time and digest agree are left alone, unsent
 * @param resume whether what an interrupted attempt left on a receiver is used
 * @param memoryBytes how much memory the pieces under way may take on this rank, at least 4 MiB
 * @param listener hears of progress on this rank
 */
public record FileBroadcastOptions(
        WriteMode mode,
        boolean delta,
        boolean resume,
        long memoryBytes,
        TransferListener listener) {

    private static final long MIN_MEMORY_BYTES = 4L << 20;
    private static final long DEFAULT_MEMORY_BYTES = 64L << 20;

    /** Refuses too little memory, with the value. */
    public FileBroadcastOptions {
        if (memoryBytes < MIN_MEMORY_BYTES) {
            throw new IllegalArgumentException(
                    "memory of " + memoryBytes + " bytes is less than " + MIN_MEMORY_BYTES);
        }
    }

    /** Overwrites, resumes, sends everything, takes 64 MiB, has no listener. */
    public static FileBroadcastOptions defaults() {
        return new FileBroadcastOptions(
                WriteMode.OVERWRITE, false, true, DEFAULT_MEMORY_BYTES, (_, _) -> {});
    }

    /** The same with another {@link #mode()}. */
    public FileBroadcastOptions withMode(WriteMode value) {
        return new FileBroadcastOptions(value, delta, resume, memoryBytes, listener);
    }

    /** The same with another {@link #delta()}. */
    public FileBroadcastOptions withDelta(boolean value) {
        return new FileBroadcastOptions(mode, value, resume, memoryBytes, listener);
    }

    /** The same with another {@link #resume()}. */
    public FileBroadcastOptions withResume(boolean value) {
        return new FileBroadcastOptions(mode, delta, value, memoryBytes, listener);
    }

    /** The same with another {@link #memoryBytes()}. */
    public FileBroadcastOptions withMemoryBytes(long value) {
        return new FileBroadcastOptions(mode, delta, resume, value, listener);
    }

    /** The same with another {@link #listener()}. */
    public FileBroadcastOptions withListener(TransferListener value) {
        return new FileBroadcastOptions(mode, delta, resume, memoryBytes, value);
    }
}

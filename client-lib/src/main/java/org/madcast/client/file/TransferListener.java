package org.madcast.client.file;

/**
 * Hears how a broadcast of files proceeds. Called by the thread that called the collective
 * operation; it must return quickly.
 */
@FunctionalInterface
public interface TransferListener {

    /**
     * More is done.
     *
     * @param bytes bytes of files that this rank has sent, taken in or found not to be needed, so
     *     far
     * @param streamBytes bytes of the stream that this rank has sent or taken in so far; equal on
     *     ranks that are equally far
     */
    void progressed(long bytes, long streamBytes);
}

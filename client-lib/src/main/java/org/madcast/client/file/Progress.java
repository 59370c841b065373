package org.madcast.client.file;

/** Counts what is done for a {@link TransferListener}. For one thread. */
final class Progress {

    private final TransferListener listener;
    private long settledBytes;
    private long batchBytes;
    private long toSendBytes;
    private long batchStreamBytes;
    private long streamBytes;

    Progress(TransferListener listener) {
        this.listener = listener;
    }

    /**
     * Begins a batch.
     *
     * @param allBytes its files
     * @param sentBytes what of them goes through the stream
     */
    void begin(long allBytes, long sentBytes) {
        batchBytes = allBytes;
        toSendBytes = sentBytes;
        batchStreamBytes = 0;
        tell();
    }

    /** A piece of the stream was sent or taken in. */
    void piece(int bytes) {
        batchStreamBytes += bytes;
        streamBytes += bytes;
        tell();
    }

    /** The batch is over. */
    void end() {
        settledBytes += batchBytes;
        batchBytes = 0;
        toSendBytes = 0;
        batchStreamBytes = 0;
        tell();
    }

    private void tell() {
        long unsent = batchBytes - toSendBytes;
        long sent = Math.min(toSendBytes, batchStreamBytes);
        listener.progressed(settledBytes + unsent + sent, streamBytes);
    }
}

package org.madcast.client.internal;

import java.io.IOException;
import java.lang.System.Logger.Level;
import org.madcast.client.io.EngineLoop;

/**
 * The future of a call of a broadcast engine. Who waits for it drives the engine, so that no other
 * thread has to be woken.
 */
final class EngineFuture extends RecordedFuture<Void> {

    private static final System.Logger LOG = System.getLogger(EngineFuture.class.getName());
    private static final long LONGEST_NS = Long.MAX_VALUE / 2;

    private final EngineLoop loop;

    /** Whether the call has ended; under the loop's lock. */
    private boolean ended;

    /** A future that has not ended, and depends on a rank; -1: on all. */
    EngineFuture(MessageGroup group, int rank, EngineLoop loop) {
        super(group, rank);
        this.loop = loop;
    }

    /** Notes that the call has ended, and that this is completed soon; under the loop's lock. */
    void noteEnd() {
        ended = true;
    }

    @Override
    void drive(long timeoutNs) {
        try {
            boolean _ = loop.callAndAwait(() -> {}, () -> ended, Math.min(timeoutNs, LONGEST_NS));
        } catch (IOException closed) {
            LOG.log(Level.TRACE, "the loop's end completes what has not ended", closed);
        }
    }
}

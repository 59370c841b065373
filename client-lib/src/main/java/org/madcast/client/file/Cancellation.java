package org.madcast.client.file;

import java.util.concurrent.CancellationException;

/** Whether this rank shall leave. Any thread. */
final class Cancellation {

    private volatile boolean wanted;

    void ask() {
        wanted = true;
    }

    void check() {
        if (wanted) {
            throw new CancellationException("this rank was asked to leave the transfer");
        }
    }
}

package org.madcast.client.internal;

import org.madcast.client.Communicator;
import org.madcast.client.CommunicatorConfig;

/** The composition root: turns a configuration into a running communicator. */
public final class Joining {

    private Joining() {}

    /** See {@link Communicator#join(CommunicatorConfig)}. */
    public static Communicator join(CommunicatorConfig config) {
        throw new UnsupportedOperationException("joining " + config.jobId());
    }
}

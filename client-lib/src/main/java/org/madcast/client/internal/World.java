package org.madcast.client.internal;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.CommunicatorInfo;
import org.madcast.client.collective.SelectionTable;
import org.madcast.client.message.MessageEndpoint;
import org.madcast.client.report.CallRecorder;
import org.madcast.client.topology.RankOrder;

/**
 * What all communicators of a world share: the endpoint of its messages, how this process joined,
 * and what is known of its ranks. The endpoint is closed with the last communicator that uses it.
 */
final class World {

    /** How many communicators that were made out of others have a group at the same time. */
    static final int MOST_ENGINES = 8;

    private final MessageEndpoint endpoint;
    private final CommunicatorConfig config;
    private final CallRecorder calls;
    private final SelectionTable table;
    private volatile Supplier<CommunicatorInfo> info =
            () -> {
                throw new IllegalStateException("the world has not been joined yet");
            };
    private volatile @Nullable RankOrder order;
    private int users;
    private int engines;

    World(MessageEndpoint endpoint, CommunicatorConfig config, SelectionTable table) {
        this.endpoint = endpoint;
        this.table = table;
        this.config = config;
        this.calls = CallRecorder.of(config);
    }

    /** The profile of this rank's calls. */
    CallRecorder calls() {
        return calls;
    }

    MessageEndpoint endpoint() {
        return endpoint;
    }

    /** Which algorithm serves when. */
    SelectionTable table() {
        return table;
    }

    /** How this process joined the world. */
    CommunicatorConfig config() {
        return config;
    }

    /** The world's own communicator as of now, or as it was when it was closed. */
    CommunicatorInfo info() {
        return info.get();
    }

    /** Sets where {@link #info} comes from. */
    void joined(Supplier<CommunicatorInfo> source) {
        info = source;
    }

    /** Sets how the ranks are placed in the network, before the world's communicator is used. */
    void placed(@Nullable RankOrder ranks) {
        order = ranks;
    }

    /** How the ranks are placed in the network; null when nothing is known. */
    @Nullable RankOrder order() {
        return order;
    }

    /** Takes one of the places for a communicator with a group; false when all are taken. */
    synchronized boolean takeEngine() {
        boolean free = engines < MOST_ENGINES;
        engines += free ? 1 : 0;
        return free;
    }

    /** Gives a place back. */
    synchronized void giveEngine() {
        engines--;
    }

    synchronized void use() {
        users++;
    }

    void leave() {
        boolean last;
        synchronized (this) {
            last = --users == 0;
        }
        if (last) {
            try (CallRecorder _ = calls) {
                endpoint.close();
            }
        }
    }
}

package org.madcast.client.protocol;

import java.util.Arrays;

/**
 * Life signs of the neighbours in the {@link ProgressTree}. One from which nothing came for the
 * death timeout is dead. Heartbeats are more frequent while a neighbour is silent already. A rank
 * that was itself stopped, or comes late because it gets no processor, forgives the time in which
 * it did not listen.
 */
final class Liveness {

    private static final int UNEASY_FACTOR = 4;

    private final TreePlace place;
    private final long deathTimeoutNs;
    private final long heartbeatNs;
    private final long[] lastHeardNs = new long[TreePlace.ARITY + 1];
    private long heartbeatDueNs;
    private long lastTickNs;

    Liveness(TreePlace place, long deathTimeoutNs, long nowNs) {
        this.place = place;
        this.deathTimeoutNs = deathTimeoutNs;
        this.heartbeatNs = deathTimeoutNs / 20;
        this.lastTickNs = nowNs;
        this.heartbeatDueNs = nowNs + heartbeatNs;
        Arrays.fill(lastHeardNs, nowNs);
    }

    /** From one heartbeat to the next. */
    long heartbeatNs() {
        return heartbeatNs;
    }

    long nextDueNs() {
        return heartbeatDueNs;
    }

    /** Any datagram is a sign of life. */
    void onHeard(long nowNs, int sender) {
        int index = place.index(sender);
        if (index >= 0) {
            lastHeardNs[index] = nowNs;
        }
    }

    /** True when the children and the parent must get a life sign now. */
    boolean takeHeartbeat(long nowNs) {
        if (nowNs < heartbeatDueNs) {
            return false;
        }
        boolean uneasy = silentFor(nowNs, deathTimeoutNs / 2) >= 0;
        heartbeatDueNs = nowNs + (uneasy ? heartbeatNs / UNEASY_FACTOR : heartbeatNs);
        return true;
    }

    /** The neighbour that was silent for too long, or -1. Call once for each timeout. */
    int findDead(long nowNs) {
        long pausedNs = nowNs - lastTickNs - heartbeatNs;
        lastTickNs = nowNs;
        if (pausedNs > 0) {
            for (int i = 0; i < lastHeardNs.length; i++) {
                lastHeardNs[i] += pausedNs;
            }
        }
        return silentFor(nowNs, deathTimeoutNs);
    }

    /** Whether no neighbour has missed four heartbeats in a row. */
    boolean hearsAll(long nowNs) {
        return silentFor(nowNs, 4 * heartbeatNs) < 0;
    }

    private int silentFor(long nowNs, long silenceNs) {
        for (int i = 0; i < lastHeardNs.length; i++) {
            int neighbour = place.neighbour(i);
            if (neighbour >= 0 && !place.hasLeft(i) && nowNs - lastHeardNs[i] > silenceNs) {
                return neighbour;
            }
        }
        return -1;
    }
}

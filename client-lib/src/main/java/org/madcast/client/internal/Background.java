package org.madcast.client.internal;

/**
 * Runs what takes a lock and so must not run on the thread that holds another one. On a platform
 * thread of its own: a virtual one that has a lock, or is the next to get it, and gets no processor
 * while the program computes on all carriers would hold up who keeps this rank alive.
 */
final class Background {

    private Background() {}

    /** Runs it soon, beside everything else. */
    static void run(Runnable action) {
        Thread.ofPlatform().daemon().name("madcast-background").start(action);
    }
}

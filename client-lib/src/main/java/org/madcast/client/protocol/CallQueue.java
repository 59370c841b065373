package org.madcast.client.protocol;

import org.jspecify.annotations.Nullable;

/**
 * The calls of this rank, in the order in which they were made, which is the order of the stream.
 * The first one is under way; the next begins when it ends, whichever thread drives the engine
 * then, so that calls that no thread waits for go on by themselves.
 */
final class CallQueue {

    private @Nullable Call current;
    private @Nullable Call last;
    private long made;
    private long end;
    private long ended;

    /** The number that the next call gets: 0, 1, ... */
    long nextNumber() {
        return made;
    }

    /** Adds a call; true when it is the current one now. */
    boolean add(Call call) {
        made++;
        end = call.end();
        Call before = last;
        last = call;
        if (current == null || before == null) {
            current = call;
            return true;
        }
        before.next = call;
        return false;
    }

    /** The call that is under way, or null. */
    @Nullable Call current() {
        return current;
    }

    /** Ends the current call; the next one, if there is one, is current then. */
    void endCurrent() {
        ended++;
        current = current == null ? null : current.next;
        last = current == null ? null : last;
    }

    /** Where in the stream the next call begins. */
    long end() {
        return end;
    }

    /**
     * The first call as whose root this rank still has something to send, or null. Nothing is sent
     * across a barrier.
     */
    @Nullable Call nextOwn() {
        Call call = current;
        while (call != null && !call.isBarrier() && !(call.isRoot() && !call.isComplete())) {
            call = call.next;
        }
        return call == null || call.isBarrier() ? null : call;
    }

    /** The call in whose place of the stream the sequence lies, or null. */
    @Nullable Call at(long sequence) {
        Call call = current;
        while (call != null && call.end() <= sequence) {
            call = call.next;
        }
        return call == null || call.start > sequence ? null : call;
    }

    boolean hasEnded(long number) {
        return number < ended;
    }
}

package org.madcast.mpi.rma;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.function.ObjIntConsumer;

/**
 * The lock of a rank's window. Who asks first gets it first; those that share it and follow each
 * other have it together.
 */
final class LockQueue {

    private record Waiting(int origin, boolean exclusive, int replyTag) {}

    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private final Set<Integer> holders = new HashSet<>();
    private boolean exclusive;

    /** Gets the origins that have the lock now, with the tag of the answer. */
    private final ObjIntConsumer<Integer> granted;

    LockQueue(ObjIntConsumer<Integer> granted) {
        this.granted = granted;
    }

    void lock(int origin, boolean exclusively, int replyTag) {
        waiting.add(new Waiting(origin, exclusively, replyTag));
        grant();
    }

    void unlock(int origin) {
        if (holders.remove(origin)) {
            grant();
        }
    }

    /** An origin that is lost neither has the lock nor waits for it. */
    void forget(int origin) {
        waiting.removeIf(it -> it.origin == origin);
        boolean _ = holders.remove(origin);
        grant();
    }

    private void grant() {
        while (!waiting.isEmpty()) {
            Waiting first = waiting.getFirst();
            if (!holders.isEmpty() && (exclusive || first.exclusive)) {
                return;
            }
            waiting.removeFirst();
            holders.add(first.origin);
            exclusive = first.exclusive;
            granted.accept(first.origin, first.replyTag);
        }
    }
}

package org.madcast.mpi.rma;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/** Runs actions one after the other, on a virtual thread that lives while there are any. */
final class SerialExecutor implements Executor {

    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private boolean running;

    @Override
    public void execute(Runnable action) {
        synchronized (waiting) {
            waiting.add(action);
            if (running) {
                return;
            }
            running = true;
        }
        Thread _ = Thread.ofVirtual().name("madcast-mpi-window").start(this::run);
    }

    private void run() {
        while (true) {
            Runnable next;
            synchronized (waiting) {
                next = waiting.poll();
                if (next == null) {
                    running = false;
                    return;
                }
            }
            next.run();
        }
    }
}

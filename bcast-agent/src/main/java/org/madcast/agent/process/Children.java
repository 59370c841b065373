package org.madcast.agent.process;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Processes that end together: first they are asked, then, after the grace, made to. */
public final class Children {

    private final List<Child> children = new CopyOnWriteArrayList<>();

    /** Adds a child. */
    public Child add(Child child) {
        children.add(child);
        return child;
    }

    /** All of them, in the order of their start. */
    public List<Child> all() {
        return List.copyOf(children);
    }

    /** Ends those that have not ended yet and returns when the last one has. */
    public void end(Duration grace) {
        end(children, grace);
    }

    /** Ends these processes. */
    public static void end(Collection<Child> children, Duration grace) {
        children.forEach(Child::terminate);
        await(children, grace);
    }

    /** Waits until they have ended, and kills those that have not after the grace. */
    public static void await(Collection<Child> children, Duration grace) {
        long deadlineNs = System.nanoTime() + grace.toNanos();
        boolean interrupted = false;
        for (Child child : children) {
            try {
                Duration left = Duration.ofNanos(Math.max(0, deadlineNs - System.nanoTime()));
                if (!child.await(left)) {
                    child.kill();
                    child.await(Duration.ofSeconds(5));
                }
            } catch (InterruptedException _) {
                interrupted = true;
                child.kill();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

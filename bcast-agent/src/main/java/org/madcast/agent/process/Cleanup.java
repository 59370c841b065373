package org.madcast.agent.process;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Undoes what a command made, in reverse order, exactly once: when the command ends, or when the
 * process is asked to end (Ctrl-C, TERM) at any moment.
 *
 * <p>The difficult moment is a signal while something is being made, say half of a lab. So making
 * and registering are one step, {@link #make}, and the undoing waits until every step that is under
 * way is over; no new step can begin after that.
 *
 * <p>Any thread may call any method.
 */
public final class Cleanup implements AutoCloseable {

    /** Makes something that must be undone. */
    @FunctionalInterface
    public interface Making<T, E extends Exception> {
        /** Makes it, or leaves nothing behind and throws. */
        T make() throws E;
    }

    private static final int MANY = 1 << 16;
    private static final long LONGEST_STEP_SECONDS = 15;

    private final Semaphore steps = new Semaphore(MANY, true);
    private final Deque<Runnable> undoing = new ArrayDeque<>();
    private final Runnable onSignal;
    private volatile boolean closing;
    private @Nullable Thread hook;

    private Cleanup(Runnable onSignal) {
        this.onSignal = onSignal;
    }

    /**
     * A cleanup that also runs when the process is asked to end.
     *
     * @param onSignal what to do first in that case, such as telling the user
     */
    public static Cleanup atExit(Runnable onSignal) {
        Cleanup cleanup = new Cleanup(onSignal);
        Thread hook = new Thread(cleanup::signalled, "cleanup");
        Runtime.getRuntime().addShutdownHook(hook);
        cleanup.hook = hook;
        return cleanup;
    }

    /** True once the undoing has begun: whatever fails now fails because of it. */
    public boolean closing() {
        return closing;
    }

    /**
     * Makes something and remembers how to undo it.
     *
     * @throws CancellationException when the undoing has begun
     */
    public <T, E extends Exception> T make(Making<T, E> making, Consumer<T> undo) throws E {
        if (closing || !steps.tryAcquire()) {
            throw new CancellationException("interrupted");
        }
        try {
            T made = making.make();
            synchronized (undoing) {
                undoing.push(() -> undo.accept(made));
            }
            return made;
        } finally {
            steps.release();
        }
    }

    private void signalled() {
        if (!closing) {
            closing = true;
            onSignal.run();
            undoAll();
        }
    }

    private void undoAll() {
        closing = true;
        try {
            if (!steps.tryAcquire(MANY, LONGEST_STEP_SECONDS, TimeUnit.SECONDS)) {
                System.Logger log = System.getLogger(Cleanup.class.getName());
                log.log(System.Logger.Level.WARNING, "a step does not end; cleaning up beside it");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        while (true) {
            Runnable next;
            synchronized (undoing) {
                if (undoing.isEmpty()) {
                    return;
                }
                next = undoing.pop();
            }
            next.run();
        }
    }

    /** Undoes everything now; the process may go on. A second call does nothing. */
    @Override
    public void close() {
        Thread registered = hook;
        if (registered != null) {
            hook = null;
            try {
                Runtime.getRuntime().removeShutdownHook(registered);
            } catch (IllegalStateException _) {
                // The process is ending, and the hook undoes everything.
                awaitEnd();
            }
        }
        undoAll();
    }

    /** Waits for the end of the process: whatever this thread would say now means nothing. */
    private static void awaitEnd() {
        while (true) {
            LockSupport.park();
        }
    }
}

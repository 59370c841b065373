package org.madcast.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.madcast.nativecalls.ProcessCalls;

/**
 * Runs code inside a named network namespace, in this JVM. A socket belongs for good to the
 * namespace in which it was opened, so what is opened here may be used by any thread afterwards.
 *
 * <p>Every call has a platform thread of its own, which enters the namespace and ends there: no
 * other thread ever changes its namespace. The action must not start threads or processes, since
 * those would stay inside. Look up network interfaces inside, too.
 */
public final class Namespaces {
    private static final Path DIRECTORY = Path.of("/run/netns");

    private Namespaces() {}

    /** The file that keeps the namespace alive and through which it is entered. */
    public static Path path(String namespace) {
        return DIRECTORY.resolve(namespace);
    }

    /** Whether a namespace of that name exists. */
    public static boolean exists(String namespace) {
        return Files.exists(path(namespace));
    }

    /**
     * Runs the action inside the namespace and waits for it. Unchecked exceptions and IOException
     * pass through; any other checked one arrives as the cause of a {@link LabException}.
     *
     * @throws LabException when the namespace cannot be entered
     * @throws IOException when the action throws it
     */
    public static <T> T call(String namespace, Callable<T> action) throws IOException {
        FutureTask<T> task =
                new FutureTask<>(() -> {
                    enter(namespace);
                    return action.call();
                });
        Thread.ofPlatform().daemon().name("in-" + namespace).start(task);
        try {
            return task.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LabException("interrupted inside namespace " + namespace, e);
        } catch (ExecutionException e) {
            throw asThrown(namespace, e);
        }
    }

    private static void enter(String namespace) {
        try {
            ProcessCalls.enterNetworkNamespace(path(namespace));
        } catch (IOException e) {
            throw new LabException("cannot enter the namespace: " + e.getMessage(), e);
        }
    }

    private static IOException asThrown(String namespace, ExecutionException failed) {
        return switch (failed.getCause()) {
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case IOException e -> e;
            case null, default ->
                    throw new LabException("failed inside namespace " + namespace, failed);
        };
    }
}

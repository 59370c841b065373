package mpi;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Messages;

/**
 * What a request waits for. It ends once: what has arrived is stored and the status is made when
 * the program waits or tests, on the program's thread.
 */
final class Operation {

    /** Begins an operation; for a persistent request each time anew. */
    @FunctionalInterface
    interface Starter {
        Operation begin();
    }

    private final CompletableFuture<?> future;
    private final Function<@Nullable Object, Status> finish;
    private final @Nullable Messages messages;
    private @Nullable CommState comm;
    private @Nullable Status status;
    private @Nullable MPIException failure;

    /**
     * @param finish makes the status from what the future ends with
     * @param messages what a test drives; null for none
     */
    Operation(
            CompletableFuture<?> future,
            Function<@Nullable Object, Status> finish,
            @Nullable Messages messages) {
        this.future = future;
        this.finish = finish;
        this.messages = messages;
    }

    /** One of a communicator, which stays open until the operation has ended. */
    static Operation of(
            CommState comm,
            CompletableFuture<?> future,
            Function<@Nullable Object, Status> finish) {
        Operation begun = new Operation(future, finish, comm.all());
        begun.comm = comm;
        comm.use();
        return begun;
    }

    /** One that has ended. */
    static Operation done(Status status) {
        return new Operation(CompletableFuture.completedFuture(null), _ -> status, null);
    }

    /** Whether it has ended; drives the transfers if not. */
    boolean poll() {
        if (!future.isDone() && messages != null) {
            messages.poll();
        }
        boolean ended = future.isDone();
        if (!ended) {
            letOthersRun();
        }
        return ended;
    }

    /**
     * After a test that found nothing: a program that tests again and again must not keep a
     * processor from the rank that it waits for.
     */
    @SuppressWarnings("ThreadPriorityCheck") // nothing relies on it
    static void letOthersRun() {
        Thread.yield();
    }

    /** Whether it has ended. */
    boolean isDone() {
        return future.isDone();
    }

    /** What ends when it does. */
    CompletableFuture<?> future() {
        return future;
    }

    /** What drives it. */
    @Nullable Messages messages() {
        return messages;
    }

    void cancel() {
        boolean _ = future.cancel(false);
    }

    /** No thread waits for it: what has arrived is stored when it ends. */
    void release() {
        var _ = future.thenRun(this::settle);
    }

    /** Waits for its end. */
    Status join() {
        settle();
        if (failure != null) {
            throw failure;
        }
        return status == null ? new Status() : status;
    }

    private synchronized void settle() {
        if (status != null || failure != null) {
            return;
        }
        try {
            status = finish.apply(future.join());
        } catch (RuntimeException failed) {
            failure = Errors.of(failed);
        }
        if (comm != null) {
            comm.leave();
        }
    }
}

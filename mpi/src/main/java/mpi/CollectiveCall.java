package mpi;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.madcast.client.Collective;

/**
 * A collective call whose arguments are right and which has not begun.
 *
 * @param collective the client library's call
 * @param store brings what has come into the program's buffer, once the call has ended
 */
record CollectiveCall(Collective collective, Runnable store) {

    /** A call that begins in one way and waits in another. */
    record TwoWays(Supplier<CompletableFuture<Void>> begin, Runnable finish) implements Collective {

        @Override
        public CompletableFuture<Void> start() {
            return begin.get();
        }

        @Override
        public void run() {
            finish.run();
        }
    }

    /** A call that stores nothing. */
    static CollectiveCall of(Collective collective) {
        return new CollectiveCall(collective, () -> {});
    }

    /** A call that can only be waited for: one of objects, which takes several steps. */
    static CollectiveCall inSteps(Runnable steps) {
        return of(
                new TwoWays(
                        () -> {
                            throw new MPIException(
                                    ErrorClass.UNSUPPORTED_OPERATION,
                                    "non-blocking collective calls do not take objects");
                        },
                        steps));
    }

    /** Runs to its end. */
    void run() {
        collective.run();
        store.run();
    }

    /** Begins. */
    Request begin(CommHandle comm) {
        return Request.of(comm, collective.start(), store);
    }
}

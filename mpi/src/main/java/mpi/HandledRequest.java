package mpi;

import java.util.function.Supplier;

/** A request of a file or a window, whose error handler it has. */
final class HandledRequest extends Request {

    private final Supplier<Errhandler> handler;

    HandledRequest(Supplier<Errhandler> handler, Operation begun) {
        super(null, begun);
        this.handler = handler;
    }

    @Override
    MPIException raise(RuntimeException failed) {
        return Errors.raise(handler.get(), failed);
    }
}

package mpi;

import java.lang.foreign.MemorySegment;
import java.nio.Buffer;
import org.jspecify.annotations.Nullable;
import org.madcast.mpi.rma.Answer;
import org.madcast.mpi.rma.Window;

/** A window's accesses, by whichever name a program calls them. */
abstract class WinHandle implements Freeable {

    private volatile @Nullable WinState opened;

    private Errhandler handlerOfFreed = MPI.ERRORS_ARE_FATAL;

    final void bind(WinState to) {
        opened = to;
    }

    final void unbind(WinState was) {
        handlerOfFreed = was.handler;
        opened = null;
    }

    final WinState state() {
        WinState known = opened;
        if (known == null) {
            throw new MPIException(ErrorClass.WIN, "the window was freed");
        }
        return known;
    }

    final MPIException raise(RuntimeException failed) {
        WinState known = opened;
        return Errors.raise(known == null ? handlerOfFreed() : known.handler, failed);
    }

    /** That which it had, or that of COMM_WORLD where only this lets calls throw. */
    private Errhandler handlerOfFreed() {
        return handlerOfFreed.isFatal() ? MPI.COMM_WORLD.handler() : handlerOfFreed;
    }

    /** What is begun at a target. */
    @FunctionalInterface
    interface Begun {
        void begin(WinState state);
    }

    final void run(Begun access) {
        try {
            access.begin(state());
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Begins an access: an {@link Answer}, a {@link Window.Sent}, or null for no process. */
    @FunctionalInterface
    interface Requested {
        @Nullable Object begin(WinState state);
    }

    final Request request(Requested access) {
        try {
            WinState state = state();
            Object begun = access.begin(state);
            Operation operation =
                    switch (begun) {
                        case null -> Operation.done(Status.ofNoProcess());
                        case Answer answer ->
                                new Operation(
                                        answer.arrival(),
                                        _ -> {
                                            answer.settle();
                                            return new Status();
                                        },
                                        state.messages());
                        case Window.Sent sent ->
                                new Operation(sent.future(), _ -> new Status(), state.messages());
                        default -> throw new IllegalStateException("no access: " + begun);
                    };
            return new HandledRequest(() -> state.handler, operation);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    private static Payload origin(
            @Nullable Buffer buffer, int count, Datatype type, boolean receives) {
        @Nullable Buffer direct = CommTransfers.direct(buffer);
        return receives
                ? Payload.toReceive(direct, 0, count, type)
                : Payload.toSend(direct, 0, count, type);
    }

    static void checkPredefined(Datatype type) {
        if (Datatype.given(type).predefined() == null) {
            throw new MPIException(
                    ErrorClass.TYPE, "one element of a predefined type is needed, not " + type);
        }
    }

    private static void checkSizes(Payload origin, Window.Place place) {
        long bytes = place.count() * place.type().size();
        if (origin.size() != bytes) {
            throw new MPIException(
                    ErrorClass.TYPE,
                    "the origin has %d bytes, the target %d".formatted(origin.size(), bytes));
        }
    }

    private static MemorySegment data(Payload payload) {
        return payload.memory();
    }

    private static void store(Payload payload, MemorySegment arrived) {
        payload.memory().copyFrom(arrived);
        payload.arrived(arrived.byteSize());
    }

    /** The origin's side of an access. */
    record Origin(Buffer buffer, int count, Datatype type) {
        Payload toSend() {
            return origin(buffer, count, type, false);
        }

        Payload toReceive() {
            return origin(buffer, count, type, true);
        }
    }

    /** The target's side of an access. */
    record Target(int rank, int displacement, int count, Datatype type) {
        Window.Place in(WinState state) {
            return state.place(rank, displacement, count, type);
        }
    }

    static Window.@Nullable Sent put(WinState state, Origin origin, Target target) {
        Payload payload = origin.toSend();
        if (target.rank == MPI.PROC_NULL) {
            return null;
        }
        Window.Place place = target.in(state);
        checkSizes(payload, place);
        return state.window.put(place, data(payload));
    }

    static @Nullable Answer get(WinState state, Origin origin, Target target) {
        Payload payload = origin.toReceive();
        if (target.rank == MPI.PROC_NULL) {
            return null;
        }
        Window.Place place = target.in(state);
        checkSizes(payload, place);
        return state.window.get(place, arrived -> store(payload, arrived));
    }

    static Window.@Nullable Sent accumulate(WinState state, Origin origin, Target target, Op op) {
        Payload payload = origin.toSend();
        Accumulation how = Accumulation.of(op, target.type);
        if (target.rank == MPI.PROC_NULL) {
            return null;
        }
        Window.Place place = target.in(state);
        checkSizes(payload, place);
        return state.window.accumulate(place, data(payload), how.operation(), how.basic());
    }

    static @Nullable Answer getAccumulate(
            WinState state, @Nullable Origin origin, Origin result, Target target, Op op) {
        Payload sent = origin == null || op.equals(MPI.NO_OP) ? null : origin.toSend();
        Payload received = result.toReceive();
        Accumulation how = Accumulation.of(op, target.type);
        if (target.rank == MPI.PROC_NULL) {
            return null;
        }
        Window.Place place = target.in(state);
        checkSizes(received, place);
        if (sent != null) {
            checkSizes(sent, place);
        }
        MemorySegment data = sent == null ? MemorySegment.ofArray(new byte[0]) : data(sent);
        return state.window.getAccumulate(
                place, data, how.operation(), how.basic(), arrived -> store(received, arrived));
    }

    static @Nullable Answer compareAndSwap(
            WinState state, Buffer origin, Buffer compare, Buffer result, Target target) {
        Datatype type = target.type;
        checkPredefined(type);
        switch (type.base()) {
            case BYTE, CHAR, SHORT, BOOLEAN, INT, LONG -> {}
            default ->
                    throw new MPIException(
                            ErrorClass.TYPE, "compareAndSwap is for integers, not " + type);
        }
        MemorySegment compared = data(origin(compare, 1, type, false));
        MemorySegment stored = data(origin(origin, 1, type, false));
        Payload received = origin(result, 1, type, true);
        if (target.rank == MPI.PROC_NULL) {
            return null;
        }
        Window.Place place = target.in(state);
        MemorySegment both = Payload.allocate(compared.byteSize() + stored.byteSize());
        MemorySegment.copy(compared, 0, both, 0, compared.byteSize());
        MemorySegment.copy(stored, 0, both, compared.byteSize(), stored.byteSize());
        return state.window.compareAndSwap(place, both, arrived -> store(received, arrived));
    }
}

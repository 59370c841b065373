package org.madcast.mpi.rma;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Communicator;
import org.madcast.client.MessageStatus;

/**
 * Serves what other ranks ask of this rank's window, without the program's help: one request after
 * the other, those of one origin in their order. It never waits.
 */
final class Target {

    /** The first part of an answer that tells of no mistake. */
    static final long OK = -1;

    private final Communicator all;
    private final TargetMemory memory;
    private final SerialExecutor serving = new SerialExecutor();
    private final LockQueue locks = new LockQueue(this::answerOk);

    /** What went wrong of an origin's requests that have no answer. */
    private final Map<Integer, RmaException> mistakes = new HashMap<>();

    Target(Communicator all, TargetMemory memory) {
        this.all = all;
        this.memory = memory;
        for (int rank = 0; rank < all.size(); rank++) {
            listen(rank);
        }
    }

    /** Receives the next request of an origin; until the communicator is closed. */
    private void listen(int origin) {
        AtomicReference<MemorySegment> arrived = new AtomicReference<>();
        var _ =
                all.irecv(
                                bytes -> {
                                    MemorySegment made = Frame.allocate(bytes);
                                    arrived.set(made);
                                    return made;
                                },
                                origin,
                                Window.REQUEST_TAG)
                        .whenComplete((status, failed) ->
                                serving.execute(() -> next(origin, status, failed, arrived.get())));
    }

    private void next(
            int origin,
            @Nullable MessageStatus status,
            @Nullable Throwable failed,
            @Nullable MemorySegment message) {
        if (status == null || failed != null || status.cancelled() || message == null) {
            locks.forget(origin);
            return;
        }
        try {
            serve(origin, Frame.read(message));
            listen(origin);
        } catch (IllegalStateException closed) {
            System.getLogger(Target.class.getName())
                    .log(System.Logger.Level.TRACE, "the window is closed", closed);
        }
    }

    private void serve(int origin, Frame frame) {
        switch (frame.action()) {
            case LOCK_SHARED -> locks.lock(origin, false, frame.replyTag());
            case LOCK_EXCLUSIVE -> locks.lock(origin, true, frame.replyTag());
            case UNLOCK -> {
                locks.unlock(origin);
                answerFlush(origin, frame.replyTag());
            }
            case FLUSH -> answerFlush(origin, frame.replyTag());
            default -> access(origin, frame);
        }
    }

    private void access(int origin, Frame frame) {
        MemorySegment data;
        try {
            data = memory.apply(frame);
        } catch (RuntimeException wrong) {
            RmaException mistake =
                    wrong instanceof RmaException known
                            ? known
                            : new RmaException(RmaException.Kind.OTHER, wrong.toString());
            if (frame.replyTag() == 0) {
                RmaException _ = mistakes.putIfAbsent(origin, mistake);
            } else {
                answerMistake(origin, frame.replyTag(), mistake);
            }
            return;
        }
        if (frame.replyTag() != 0) {
            answer(origin, frame.replyTag(), OK, data);
        }
    }

    private void answerFlush(int origin, int tag) {
        RmaException mistake = mistakes.remove(origin);
        if (mistake == null) {
            answerOk(origin, tag);
        } else {
            answerMistake(origin, tag, mistake);
        }
    }

    private void answerOk(int origin, int tag) {
        answer(origin, tag, OK, Frame.allocate(0));
    }

    private void answerMistake(int origin, int tag, RmaException mistake) {
        byte[] sentence = String.valueOf(mistake.getMessage()).getBytes(StandardCharsets.UTF_8);
        answer(origin, tag, mistake.kind().code(), MemorySegment.ofArray(sentence));
    }

    private void answer(int origin, int tag, long code, MemorySegment data) {
        MemorySegment message = Frame.allocate(Long.BYTES + data.byteSize());
        message.set(JAVA_LONG_UNALIGNED, 0, code);
        MemorySegment.copy(data, 0, message, Long.BYTES, data.byteSize());
        var _ = all.isend(message, origin, tag);
    }
}

package org.madcast.mpi.rma;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Communicator;
import org.madcast.client.MessageStatus;

/** A target's answer, which is stored once: by who first waits for it. */
public final class Answer {

    private final AtomicReference<MemorySegment> message = new AtomicReference<>();
    private final CompletableFuture<MessageStatus> arrival;
    private final int target;
    private final Consumer<MemorySegment> store;
    private boolean stored;
    private @Nullable RmaException mistake;

    Answer(Communicator all, int target, int tag, Consumer<MemorySegment> store) {
        this.target = target;
        this.store = store;
        this.arrival =
                all.irecv(
                        bytes -> {
                            MemorySegment made = Frame.allocate(bytes);
                            message.set(made);
                            return made;
                        },
                        target,
                        tag);
    }

    int target() {
        return target;
    }

    /** Ends when the answer is there. */
    public CompletableFuture<?> arrival() {
        return arrival;
    }

    /** Waits for the answer and stores it. */
    public synchronized void settle() {
        MessageStatus _ = arrival.join();
        if (!stored) {
            stored = true;
            MemorySegment got = Objects.requireNonNull(message.get());
            long code = got.get(JAVA_LONG_UNALIGNED, 0);
            MemorySegment data = got.asSlice(Long.BYTES);
            if (code == Target.OK) {
                store.accept(data);
            } else {
                String sentence = new String(data.toArray(JAVA_BYTE), StandardCharsets.UTF_8);
                mistake =
                        new RmaException(
                                RmaException.Kind.of(code), "rank " + target + ": " + sentence);
            }
        }
        if (mistake != null) {
            throw mistake;
        }
    }
}

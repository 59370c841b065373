package org.madcast.client.internal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.madcast.client.MadcastException;

/** The calls that nobody waits for, in their order. Used under the engine loop's lock. */
final class PendingCalls {

    private record Pending(long number, CompletableFuture<Void> future, Runnable record) {}

    private final ArrayDeque<Pending> pending = new ArrayDeque<>();

    /** Remembers a call; {@code record} runs when it ended well. */
    CompletableFuture<Void> add(long number, Runnable record) {
        CompletableFuture<Void> future = new CompletableFuture<>();
        pending.add(new Pending(number, future, record));
        return future;
    }

    boolean isEmpty() {
        return pending.isEmpty();
    }

    /**
     * Completes the futures of calls that have ended. What depends on them is the caller's code and
     * runs on a thread of its own, lest it holds the engine up.
     *
     * @return whether there were any
     */
    boolean settle(LongPredicate isPending, Supplier<@Nullable MadcastException> failure) {
        if (pending.isEmpty() || isPending.test(pending.getFirst().number())) {
            return false;
        }
        List<Pending> ended = new ArrayList<>();
        while (!pending.isEmpty() && !isPending.test(pending.getFirst().number())) {
            ended.add(pending.removeFirst());
        }
        @Nullable MadcastException failed = failure.get();
        Thread.startVirtualThread(() -> ended.forEach(call -> complete(call, failed)));
        return true;
    }

    private static void complete(Pending call, @Nullable MadcastException failed) {
        if (failed == null) {
            call.record().run();
            call.future().complete(null);
        } else {
            call.future().completeExceptionally(failed);
        }
    }
}

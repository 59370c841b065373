package org.madcast.client.internal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.madcast.client.MadcastException;
import org.madcast.client.protocol.BroadcastEngine;

/** The calls that no thread waits for, in their order. Used under the engine loop's lock. */
final class PendingCalls {

    private record Pending(long number, EngineFuture future, @Nullable Note note) {}

    /** Notes a call that ended well. */
    @FunctionalInterface
    interface Note {

        /**
         * Notes it.
         *
         * @param afterDataNs as {@link BroadcastEngine#afterDataNs}
         */
        void ended(long afterDataNs);
    }

    private record Ended(Pending call, long afterDataNs) {}

    private final ArrayDeque<Pending> pending = new ArrayDeque<>();

    /** Remembers a call, whose future this is; {@code note} runs when it ended well. */
    CompletableFuture<Void> add(long number, EngineFuture future, @Nullable Note note) {
        pending.add(new Pending(number, future, note));
        return future;
    }

    boolean isEmpty() {
        return pending.isEmpty();
    }

    /**
     * Completes the futures of calls that have ended. What depends on them is the caller's code and
     * runs on a thread of its own, lest it holds the engine up.
     *
     * @param afterDataNs when the call of a number was made, as {@link Note} takes it
     * @return whether there were any
     */
    boolean settle(
            LongPredicate isPending,
            LongUnaryOperator afterDataNs,
            Supplier<@Nullable MadcastException> failure) {
        if (pending.isEmpty() || isPending.test(pending.getFirst().number())) {
            return false;
        }
        List<Ended> ended = new ArrayList<>();
        while (!pending.isEmpty() && !isPending.test(pending.getFirst().number())) {
            Pending call = pending.removeFirst();
            call.future().noteEnd();
            ended.add(new Ended(call, afterDataNs.applyAsLong(call.number())));
        }
        @Nullable MadcastException failed = failure.get();
        if (ended.stream().allMatch(PendingCalls::runsNothing)) {
            ended.forEach(call -> complete(call, failed));
        } else {
            Thread.startVirtualThread(() -> ended.forEach(call -> complete(call, failed)));
        }
        return true;
    }

    private static boolean runsNothing(Ended ended) {
        Pending call = ended.call();
        return call.note() == null && call.future().getNumberOfDependents() == 0;
    }

    private static void complete(Ended ended, @Nullable MadcastException failed) {
        Pending call = ended.call();
        if (failed == null) {
            Note note = call.note();
            if (note != null) {
                note.ended(ended.afterDataNs());
            }
            call.future().complete(null);
        } else {
            call.future().completeExceptionally(failed);
        }
    }
}

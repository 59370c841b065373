package org.madcast.client.internal;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.madcast.client.MadcastException;
import org.madcast.client.OperationException;
import org.madcast.client.ReduceOperation;
import org.madcast.client.message.Transfer;
import org.madcast.client.message.Transfer.Outcome;
import org.madcast.client.schedule.Schedule;
import org.madcast.client.schedule.Slice;
import org.madcast.client.schedule.Step;

/**
 * Runs a schedule: starts the transfers of a round, and the next round when all of them are
 * complete. Everything happens under the endpoint's lock, on whatever thread drives it; so a
 * collective call goes on while the program computes.
 */
final class ScheduleRun implements MessageGroup.Running {

    /** The buffers of a call, and how long an element of them is. */
    record Buffers(
            MemorySegment input,
            MemorySegment output,
            MemorySegment scratch,
            long elementBytes,
            @Nullable ReduceOperation operation,
            @Nullable EdgeExchange edges) {

        /** Memory for each edge, in place of buffers for all. */
        static Buffers of(EdgeExchange edges) {
            return new Buffers(EMPTY, EMPTY, EMPTY, 1, null, edges);
        }

        /** What makes the memory of a receive of unknown length; null for none. */
        @Nullable LongFunction<MemorySegment> maker(Slice slice) {
            return edges == null ? null : edges.edge(slice).memoryForBytes();
        }

        MemorySegment of(Slice slice) {
            if (edges != null) {
                return edges.edge(slice).memory();
            }
            MemorySegment whole =
                    switch (slice.buffer()) {
                        case INPUT -> input;
                        case OUTPUT -> output;
                        case SCRATCH -> scratch;
                    };
            return whole.asSlice(slice.offset() * elementBytes, slice.count() * elementBytes);
        }
    }

    static final MemorySegment EMPTY = MemorySegment.ofArray(new byte[0]);

    private final MessageGroup group;
    private final Schedule schedule;
    private final Buffers buffers;
    private final long call;
    private final DrivenFuture<Void> result;
    private final List<Transfer.Receive> receives = new ArrayList<>();
    private final List<Transfer.Send> sends = new ArrayList<>();
    private int tag;
    private int round;
    private int open;
    private boolean advancing;
    private boolean over;

    /** Why what this rank has is of no use, once that is known. */
    private @Nullable OperationException spoiled;

    private final Patience patience = new Patience();

    ScheduleRun(
            MessageGroup group,
            Schedule schedule,
            Buffers buffers,
            long call,
            DrivenFuture<Void> result) {
        this.group = group;
        this.schedule = schedule;
        this.buffers = buffers;
        this.call = call;
        this.result = result;
    }

    /** Takes the call's place in the order of all calls, and begins. */
    void start() {
        tag = group.begin(this, call);
        advance();
    }

    boolean isOver() {
        return over;
    }

    /**
     * Starts rounds until one has to wait; a round that ends within another's start does not nest.
     */
    private void advance() {
        if (advancing) {
            return;
        }
        advancing = true;
        try {
            while (!over && open == 0) {
                if (round == schedule.rounds().size()) {
                    end(spoiled);
                } else {
                    begin(schedule.rounds().get(round++));
                }
            }
        } finally {
            advancing = false;
        }
    }

    private void begin(List<Step> steps) {
        receives.clear();
        sends.clear();
        open = 1; // so that the round does not end before all of it has begun
        for (Step step : steps) {
            if (over) {
                return;
            }
            switch (step) {
                case Step.Copy(Slice from, Slice to) -> buffers.of(to).copyFrom(buffers.of(from));
                case Step.Combine(Slice from, Slice into, boolean fromIsLeft) ->
                        combine(buffers.of(from), buffers.of(into), fromIsLeft);
                case Step.Receive(int peer, Slice into) ->
                        receive(peer, buffers.of(into), buffers.maker(into));
                case Step.Send(int peer, Slice data) -> send(peer, buffers.of(data));
            }
        }
        open--;
    }

    /**
     * After the operation threw the call goes on to its end, so that the ranks remain in step. What
     * this rank sends from then on is marked, and ends the call of those that receive it alike.
     */
    private void combine(MemorySegment from, MemorySegment into, boolean fromIsLeft) {
        if (spoiled != null) {
            return;
        }
        ReduceOperation operation = Objects.requireNonNull(buffers.operation());
        try {
            if (fromIsLeft || operation.commutes()) {
                operation.combine(from, into);
                return;
            }
            MemorySegment right = MemorySegment.ofArray(new byte[(int) from.byteSize()]);
            right.copyFrom(from);
            operation.combine(into, right);
            into.copyFrom(right);
        } catch (RuntimeException | Error thrown) {
            spoiled = Combining.failure(group.self(), thrown);
        }
    }

    private void receive(
            int peer, MemorySegment into, @Nullable LongFunction<MemorySegment> maker) {
        open++;
        Receive waiting = new Receive();
        Transfer.Receive receive =
                new Transfer.Receive(
                        group.collectiveContext(),
                        group.inWorld(peer),
                        tag,
                        call,
                        into,
                        maker,
                        waiting);
        waiting.transfer = receive;
        receives.add(receive);
        group.endpoint().start(receive);
    }

    /** What follows a receive; a class, since it must know the receive that it was made for. */
    private final class Receive implements Runnable {
        private Transfer.@Nullable Receive transfer;

        @Override
        public void run() {
            if (transfer != null) {
                onReceived(transfer);
            }
        }
    }

    private void send(int peer, MemorySegment data) {
        open++;
        group.calls().sent(group.inWorld(peer), data.byteSize());
        Transfer.Send[] self = new Transfer.Send[1];
        self[0] =
                new Transfer.Send(
                        group.collectiveContext(),
                        group.inWorld(peer),
                        tag,
                        spoiled == null ? call : call | Transfer.SPOILED,
                        data,
                        false,
                        () -> onDone(self[0].outcome()));
        sends.add(self[0]);
        group.endpoint().start(self[0]);
    }

    /** Announces the call to those for which a round has waited for long. */
    @Override
    public void onTime(long nowNs) {
        if (patience.ends(nowNs, round)) {
            Stream.concat(receives.stream(), sends.stream())
                    .filter(each -> each.outcome() == null)
                    .mapToInt(each -> group.rankOf(each.peer()))
                    .distinct()
                    .filter(rank -> rank != group.self())
                    .forEach(rank -> group.announce(rank, tag, call));
        }
    }

    private void onReceived(Transfer.Receive receive) {
        result.dependsOn(group.rankOf(receive.peer())); // the last one is who kept it waiting
        Outcome outcome = receive.outcome();
        if (receive.isSpoiled() && spoiled == null) {
            spoiled =
                    new OperationException(
                            "the operation threw on another rank: rank %d has no result to send"
                                    .formatted(group.rankOf(receive.peer())),
                            null);
        }
        if (outcome instanceof Outcome.Complete(int from, _, long bytes)
                && bytes != receive.byteSize()) {
            lengthMismatch(from, bytes, receive.byteSize());
        } else if (outcome instanceof Outcome.TooLong(int from, _, long bytes)) {
            lengthMismatch(from, bytes, receive.byteSize());
        }
        onDone(outcome);
    }

    private void lengthMismatch(int from, long bytes, long expected) {
        group.mismatch(
                call,
                "rank %d sent %d bytes in %s, where rank %d expects %d"
                        .formatted(
                                group.rankOf(from),
                                bytes,
                                CallSignature.describe(call),
                                group.self(),
                                expected));
    }

    private void onDone(@Nullable Outcome outcome) {
        if (over) {
            return;
        }
        open--;
        switch (outcome) {
            case Outcome.Mismatch(int from, long its) ->
                    group.mismatch(call, group.rankOf(from), its);
            case Outcome.Lost lost -> lost(lost);
            case Outcome.Revoked _ -> {
                // The revocation ends the call.
            }
            case null, default -> advance();
        }
    }

    /**
     * Ends the call on all ranks. A rank that has closed may have heard why the call fails before
     * this one does; so that report is waited for.
     */
    private void lost(Outcome.Lost lost) {
        int rank = group.rankOf(lost.rank());
        CallFailure failure =
                new CallFailure(rank, "rank %d is lost: %s".formatted(rank, lost.reason()));
        if (!lost.mayHaveLeft()) {
            group.fail(failure.toException(), failure);
            return;
        }
        Background.run(() -> {
            if (!group.awaitReport(() -> over)) {
                boolean _ =
                        group.endpoint()
                                .with(() -> {
                                    if (!over) {
                                        group.fail(failure.toException(), failure);
                                    }
                                    return over;
                                });
            }
        });
    }

    @Override
    public void fail(MadcastException why) {
        end(why);
    }

    private void end(@Nullable MadcastException why) {
        if (over) {
            return;
        }
        over = true;
        boolean _ = group.end(this);
        if (why == null && buffers.operation() == null && CallSignature.isBroadcast(call)) {
            group.countBroadcast(buffers.output().byteSize());
        }
        for (Transfer.Receive each : List.copyOf(receives)) {
            if (each.outcome() == null) {
                boolean _ = group.endpoint().cancel(each);
            }
        }
        result.finish(null, why);
    }
}

package org.madcast.client.internal;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.madcast.client.MadcastException;
import org.madcast.client.MismatchException;
import org.madcast.client.message.MessageEndpoint;
import org.madcast.client.report.CallRecorder;
import org.madcast.client.schedule.Ring;
import org.madcast.client.survival.Notice;
import org.madcast.client.topology.RankOrder;

/**
 * A communicator's ranks within the world of an endpoint, and what its collective calls have in
 * common. Its fields that are not final are used under the endpoint's lock.
 */
final class MessageGroup implements MessageEndpoint.Context {

    private static final long REPORT_NS = TimeUnit.SECONDS.toNanos(1);

    /** A collective call that is under way. */
    interface Running {

        /** Ends without a result; under the endpoint's lock. */
        void fail(MadcastException why);

        /** Is called now and then while it runs; under the endpoint's lock. */
        default void onTime(long nowNs) {}
    }

    private final World world;
    private final int[] numbers;
    private final int[] ranks;
    private final int self;
    private final long context;
    private final GroupSurvival survival;
    private final Set<Running> running = new HashSet<>();

    /** How often ranks were made a communicator with one and the same identifier. */
    private final Map<Long, Integer> made = new HashMap<>();

    private final AtomicLong broadcasts = new AtomicLong();
    private final AtomicLong broadcastBytes = new AtomicLong();
    private volatile @Nullable Ring ring;
    private IntConsumer whenLost = _ -> {};

    private final CallHistory history;
    private final @Nullable MessageGroup ofSameRanks;
    private Consumer<CallHistory.Difference> whenDifferent = _ -> {};

    private int children;
    private volatile @Nullable MadcastException failure;
    private volatile boolean failureTold;

    /**
     * A communicator.
     *
     * @param numbers the number in the world of each of its ranks
     * @param context the same on all of its ranks, and of no other communicator
     * @param ofSameRanks the group of the same communicator that it serves, if there is one
     * @throws IllegalStateException if the context is in use
     */
    private MessageGroup(
            World world,
            int[] numbers,
            int self,
            long context,
            @Nullable MessageGroup ofSameRanks) {
        this.ofSameRanks = ofSameRanks;
        this.history = ofSameRanks == null ? new CallHistory() : ofSameRanks.history;
        this.world = world;
        this.numbers = numbers;
        this.self = self;
        this.context = context;
        this.ranks = new int[world.config().size()];
        Arrays.fill(ranks, -1);
        for (int rank = 0; rank < numbers.length; rank++) {
            ranks[numbers[rank]] = rank;
        }
        this.survival = new GroupSurvival(this);
        endpoint()
                .with(() -> {
                    for (int rank = 0; rank < numbers.length; rank++) {
                        if (endpoint().lost(numbers[rank]) != null) {
                            survival.onLost(rank);
                        }
                    }
                    endpoint().open(this, context, collectiveContext());
                    return self;
                });
        world.use();
    }

    /** The group of the communicator in which the processes met. */
    static MessageGroup ofWorld(World world, long token) {
        int[] all = IntStream.range(0, world.config().size()).toArray();
        return new MessageGroup(world, all, world.config().rank(), token, null);
    }

    /** The group of some of the ranks, in the order of their new numbers. */
    MessageGroup part(List<Integer> of, long newContext) {
        int[] chosen = of.stream().mapToInt(this::inWorld).toArray();
        return new MessageGroup(world, chosen, of.indexOf(self), newContext, null);
    }

    /** Another group of this communicator, for a broadcast engine; their calls are one sequence. */
    MessageGroup forEngine(long newContext) {
        MessageGroup made = new MessageGroup(world, numbers, self, newContext, this);
        whenDifferent(difference -> made.whenDifferent.accept(difference));
        return made;
    }

    /**
     * The number of a communicator that all ranks make out of this one together; under the
     * endpoint's lock.
     */
    int nextChild() {
        return children++;
    }

    /**
     * How many communicators of one identifier, and so of the same ranks, were made out of this one
     * before; under the endpoint's lock.
     */
    int madeBefore(long identifier) {
        return made.merge(identifier, 1, Integer::sum) - 1;
    }

    /**
     * A context that follows from this group's: the same on all ranks that compute it from the same
     * numbers, and of no other communicator, but by chance.
     */
    long contextOf(long... from) {
        return ContextNumbers.derive(context, from);
    }

    World world() {
        return world;
    }

    MessageEndpoint endpoint() {
        return world.endpoint();
    }

    /** The profile of this rank's calls. */
    CallRecorder calls() {
        return world.calls();
    }

    /**
     * Ends a call in it.
     *
     * @param rank the rank that it depended on, if it is one
     */
    void ended(long began, int kind, long bytes, int rank) {
        int number = rank >= 0 && rank < numbers.length ? numbers[rank] : -1;
        calls().end(began, kind, bytes, number, context);
    }

    long context() {
        return context;
    }

    long collectiveContext() {
        return ContextNumbers.ofCollectiveCalls(context);
    }

    int size() {
        return numbers.length;
    }

    int self() {
        return self;
    }

    /** The order in which messages go around, which follows the cables when they are known. */
    Ring ring() {
        Ring known = ring;
        if (known == null) {
            IntStream all = IntStream.range(0, size());
            RankOrder order = world.order();
            if (order != null) {
                all =
                        all.boxed()
                                .sorted(
                                        Comparator.comparingInt(
                                                rank -> order.place(numbers[rank], 0)))
                                .mapToInt(Integer::intValue);
            }
            known = new Ring(all.toArray());
            ring = known;
        }
        return known;
    }

    /** The number in the world of a rank. */
    int inWorld(int rank) {
        return numbers[rank];
    }

    /** The rank of a process in this communicator; -1 when it is not in it. */
    int rankOf(int number) {
        return ranks[number];
    }

    @Override
    public boolean isMember(int number) {
        return ranks[number] >= 0 && !survival.isAcknowledged(ranks[number]);
    }

    /** How the communicator goes on after losses. */
    GroupSurvival survival() {
        return survival;
    }

    @Override
    public void onNotice(int from, byte[] notice) {
        survival.onNotice(ranks[from], notice);
    }

    @Override
    public void onClosed(int from) {
        survival.onClosed(ranks[from]);
    }

    @Override
    public void onLost(int number) {
        if (ranks[number] >= 0) {
            survival.onLost(ranks[number]);
            tellLost(number);
        }
    }

    private void tellLost(int number) {
        String why = endpoint().lost(number);
        if (why != null && !MessageEndpoint.mayLive(why)) {
            whenLost.accept(ranks[number]);
        }
    }

    /**
     * Has an action run, under the endpoint's lock, for each rank that is lost now or later; a rank
     * that has said why its connection ends is not.
     */
    void whenLost(IntConsumer action) {
        endpoint()
                .with(() -> {
                    whenLost = action;
                    Arrays.stream(numbers).forEach(this::tellLost);
                    return self;
                });
    }

    @Override
    public void addAwaited(Set<Integer> numbersInWorld) {
        survival.addAwaited(numbersInWorld);
    }

    @Override
    public void onTime(long nowNs) {
        Set.copyOf(running).forEach(each -> each.onTime(nowNs));
    }

    @Override
    public void onAbort(byte[] why) {
        CallFailure failure = CallFailure.read(why);
        fail(failure.toException(), null);
        int lost = failure.lostRank();
        if (lost >= 0 && lost < size() && lost != self) {
            int number = inWorld(lost);
            endpoint().defer(() -> endpoint().markLost(number, failure.text()));
        }
    }

    /**
     * Takes a place in the order of collective calls by messages.
     *
     * @param call what must be the same on all ranks
     */
    int begin(Running run, long call) {
        boolean _ = enter(run);
        return history.begin(call);
    }

    /** What the broadcast engine's calls, and those by messages, are compared by. */
    CallHistory history() {
        return history;
    }

    /** Lets a rank know in which call this one waits for it. */
    void announce(int rank, int number, long call) {
        Notice notice = history.waiting(number, call);
        if (notice != null) {
            byte[] bytes = notice.write();
            endpoint().defer(() -> endpoint().notice(inWorld(rank), context, bytes));
        }
    }

    /**
     * A rank waits for this one in a call. If that was another one here, or other broadcasts
     * preceded it, they disagree, which no message between them may show: each may wait for the
     * other's.
     */
    void onWaiting(int from, Notice notice) {
        CallHistory.Difference difference = history.compare(notice);
        if (difference != null) {
            mismatch(difference, from);
        }
    }

    /** Has an action run when this rank finds that its calls are not another's. */
    void whenDifferent(Consumer<CallHistory.Difference> action) {
        endpoint()
                .with(() -> {
                    whenDifferent = action;
                    return self;
                });
    }

    /** Why collective calls end at once, or null; any thread. */
    @Nullable MadcastException failure() {
        MadcastException own = failure;
        return own == null && ofSameRanks != null ? ofSameRanks.failure : own;
    }

    /** Ends all collective calls on all ranks, since this rank and another disagree. */
    void mismatch(long own, int other, long its) {
        mismatch(new CallHistory.Difference(own, its, 0), other);
    }

    private void mismatch(CallHistory.Difference difference, int other) {
        whenDifferent.accept(difference);
        boolean ofLengths = CallSignature.differInLength(difference.own(), difference.its());
        mismatch(new MismatchException(difference.describe(self, other), ofLengths));
    }

    /** Ends all collective calls on all ranks, since lengths in this call disagree. */
    void mismatch(long call, String text) {
        whenDifferent.accept(new CallHistory.Difference(call, call, 0));
        mismatch(new MismatchException(text, true));
    }

    private void mismatch(MismatchException why) {
        fail(why, CallFailure.of(why));
    }

    /** Whether a call has ended, or was refused, with it; any thread. */
    boolean isFailureTold() {
        return failureTold || (ofSameRanks != null && ofSameRanks.failureTold);
    }

    /**
     * The broadcast engine has found that ranks make different calls.
     *
     * @param tells whether this rank tells the others; they may wait for a message
     */
    void onEngineMismatch(MismatchException why, boolean tells) {
        CallFailure report = tells ? CallFailure.of(why) : null;
        endpoint()
                .with(() -> {
                    fail(why, report);
                    if (ofSameRanks != null) {
                        ofSameRanks.fail(why, report);
                    }
                    return self;
                });
    }

    /** Adds a call that ends when the communicator's collective calls fail. */
    boolean enter(Running call) {
        MadcastException revoked = survival.revocation();
        if (revoked != null) {
            throw revoked;
        }
        MadcastException failed = failure;
        if (failed != null) {
            failureTold = true;
            throw failed;
        }
        return running.add(call);
    }

    boolean end(Running call) {
        return running.remove(call);
    }

    /**
     * Waits a second for the report of why calls fail: ranks that have heard of it may leave before
     * it is here, and their leaving looks like a loss.
     *
     * @param here whether it is here; asked under the endpoint's lock
     */
    boolean awaitReport(BooleanSupplier here) {
        return endpoint().await(here, REPORT_NS);
    }

    /** Counts a broadcast that went by messages. */
    void countBroadcast(long bytes) {
        broadcasts.incrementAndGet();
        broadcastBytes.addAndGet(bytes);
    }

    /** How many broadcasts went by messages; any thread. */
    long broadcasts() {
        return broadcasts.get();
    }

    /** Their bytes; any thread. */
    long broadcastBytes() {
        return broadcastBytes.get();
    }

    /**
     * Ends all collective calls, now and later.
     *
     * @param report what the other ranks get to know; null when they know
     */
    void fail(MadcastException why, @Nullable CallFailure report) {
        if (failure != null) {
            return;
        }
        failure = why;
        if (report != null) {
            byte[] bytes = report.write();
            for (int rank = 0; rank < size(); rank++) {
                if (rank != self) {
                    endpoint().abort(inWorld(rank), collectiveContext(), bytes);
                }
            }
        }
        if (!running.isEmpty()) {
            failureTold = true;
        }
        for (Running each : Set.copyOf(running)) {
            each.fail(why);
        }
    }

    /** Ends all collective calls on all ranks, as if a rank had died. */
    void markFailed(int rank) {
        CallFailure failure =
                new CallFailure(
                        rank, "rank %d is lost: rank %d has given it up".formatted(rank, self));
        endpoint()
                .with(() -> {
                    fail(failure.toException(), failure);
                    return rank;
                });
    }

    /**
     * No message of this communicator is sent or received any more. Collective calls that are under
     * way are waited for; one that has not ended within the death timeout ends on all ranks.
     */
    void close() {
        endpoint().await(running::isEmpty, world.config().parameters().deathTimeout().toNanos());
        endpoint()
                .with(() -> {
                    if (!running.isEmpty()) {
                        CallFailure failure =
                                new CallFailure(
                                        CallFailure.OTHER_CALLS,
                                        "rank %d closed the communicator during a collective call"
                                                .formatted(self));
                        fail(failure.toException(), failure);
                    }
                    survival.close();
                    endpoint().close(context);
                    endpoint().close(collectiveContext());
                    return self;
                });
        world.leave();
    }
}

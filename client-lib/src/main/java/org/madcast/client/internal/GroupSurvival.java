package org.madcast.client.internal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.madcast.client.MadcastException;
import org.madcast.client.RankLostException;
import org.madcast.client.RevokedException;
import org.madcast.client.TransportException;
import org.madcast.client.message.MessageEndpoint;
import org.madcast.client.survival.Agreement;
import org.madcast.client.survival.Notice;
import org.madcast.client.survival.Spreading;
import org.madcast.client.survival.Verdict;

/**
 * What a communicator knows of lost ranks, its agreements and its revocation, over notices between
 * its ranks. Used under the endpoint's lock, except where noted.
 */
final class GroupSurvival implements Agreement.Host {

    /** An agreement that has ended. */
    record Decision(int number, Verdict verdict) {}

    private record Pending(long flags, DrivenFuture<Decision> future) {}

    private final MessageGroup group;
    private final Agreement agreement;

    /** The agreements that this rank wants, one after the other; the first may be under way. */
    private final Deque<Pending> pending = new ArrayDeque<>();

    /** The number of the first of them if it is under way. */
    private int number;

    private boolean underWay;

    private final BitSet acknowledged = new BitSet();
    private final BitSet toldOfRevocation = new BitSet();
    private final List<Runnable> whenRevoked = new ArrayList<>();
    private volatile @Nullable RevokedException revoked;
    private boolean used;
    private boolean closed;

    GroupSurvival(MessageGroup group) {
        this.group = group;
        this.agreement = new Agreement(group.self(), group.size(), this);
    }

    private MessageEndpoint endpoint() {
        return group.endpoint();
    }

    @Override
    public void send(int rank, Notice notice) {
        endpoint().notice(group.inWorld(rank), group.context(), notice.write());
    }

    @Override
    public void onLostElsewhere(int rank) {
        int number = group.inWorld(rank);
        endpoint()
                .defer(() ->
                        endpoint().markLost(number, "another rank has noticed that it is lost"));
    }

    void onNotice(int from, byte[] bytes) {
        Notice notice = Notice.read(bytes, group.size());
        if (notice == null || from < 0) {
            return;
        }
        if (notice.kind() == Notice.Kind.WAITS) {
            group.onWaiting(from, notice);
            return;
        }
        used = true;
        if (notice.kind() == Notice.Kind.REVOKE) {
            RevokedException _ = revoke(Math.min(notice.number(), group.size() - 1));
        } else {
            agreement.onNotice(from, notice);
            settle();
        }
    }

    void onLost(int rank) {
        agreement.onLost(rank);
        settle();
        spreadRevocation();
    }

    void onClosed(int rank) {
        agreement.onClosed(rank);
        settle();
        spreadRevocation();
    }

    /** Adds the numbers in the world of the ranks whose notices are waited for. */
    void addAwaited(Set<Integer> numbers) {
        Set<Integer> ranks = new HashSet<>();
        agreement.addAwaited(ranks);
        ranks.forEach(rank -> numbers.add(group.inWorld(rank)));
    }

    /** The ranks that are lost or have closed the communicator. */
    BitSet absent() {
        return agreement.absent();
    }

    boolean isAcknowledged(int rank) {
        return acknowledged.get(rank);
    }

    /** A lost rank on which receives from any source depend; -1 when there is none. */
    int unacknowledged() {
        BitSet absent = absent();
        absent.andNot(acknowledged);
        return absent.nextSetBit(0);
    }

    BitSet acknowledge() {
        acknowledged.or(absent());
        return absent();
    }

    /** Why the communicator's calls end; null while it is not revoked. Any thread. */
    @Nullable RevokedException revocation() {
        return revoked;
    }

    /** Has an action run, without the lock, once the communicator is revoked. Takes the lock. */
    void whenRevoked(Runnable action) {
        endpoint()
                .with(() -> {
                    if (revoked == null) {
                        return whenRevoked.add(action);
                    }
                    endpoint().defer(action);
                    return true;
                });
    }

    /** Ends all calls at all ranks, and says why. */
    RevokedException revoke(int by) {
        RevokedException before = revoked;
        if (before != null) {
            return before;
        }
        used = true;
        RevokedException why =
                new RevokedException(by, "rank %d has revoked the communicator".formatted(by));
        revoked = why;
        group.fail(why, null);
        endpoint().revoke(group.context());
        endpoint().revoke(group.collectiveContext());
        spreadRevocation();
        whenRevoked.forEach(endpoint()::defer);
        whenRevoked.clear();
        return why;
    }

    /**
     * Who revokes tells all, and all pass it on, also to those behind a rank that is lost later.
     */
    private void spreadRevocation() {
        RevokedException why = revoked;
        if (why == null) {
            return;
        }
        BitSet targets;
        if (why.rank() == group.self()) {
            targets = absent();
            targets.flip(0, group.size());
            targets.clear(group.self());
        } else {
            targets = Spreading.targets(group.size(), group.self(), absent());
        }
        targets.andNot(toldOfRevocation);
        toldOfRevocation.or(targets);
        targets.stream().forEach(rank -> send(rank, Notice.revocation(why.rank())));
    }

    /**
     * Takes part in the next agreement, and waits for its end. Without the lock.
     *
     * @throws RankLostException if the others hold this rank to be lost
     * @throws TransportException if the communicator is closed meanwhile
     */
    Decision agree(long flags) {
        return await(begin(flags, decision -> decision));
    }

    /** Waits for what was begun here, and throws what it failed with. */
    static <T> T await(CompletableFuture<T> begun) {
        try {
            return begun.join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof MadcastException why) {
                throw why;
            }
            throw failed;
        }
    }

    /**
     * Takes part in the next agreement. Without the lock.
     *
     * @param result makes the future's value, without the lock
     * @throws RankLostException if the others hold this rank to be lost
     */
    <T> CompletableFuture<T> begin(long flags, Function<Decision, T> result) {
        DrivenFuture<Decision> decided = new DrivenFuture<>(group, -1, () -> false);
        RecordedFuture<T> future =
                new RecordedFuture<>(group, -1) {
                    @Override
                    void drive(long timeoutNs) {
                        decided.drive(timeoutNs);
                    }
                };
        CompletableFuture<?> _ =
                decided.thenApply(result)
                        .whenComplete((value, failure) -> {
                            if (failure == null) {
                                boolean _ = future.complete(value);
                            } else {
                                Throwable why = failure.getCause();
                                boolean _ =
                                        future.completeExceptionally(why == null ? failure : why);
                            }
                        });
        return endpoint()
                .with(() -> {
                    if (agreement.isExcluded()) {
                        throw excluded();
                    }
                    used = true;
                    pending.add(new Pending(flags, decided));
                    start();
                    return future;
                });
    }

    /** Begins the first of the pending agreements. */
    private void start() {
        Pending first = pending.peek();
        if (first != null && !underWay) {
            if (!closed && !agreement.isExcluded()) {
                number = agreement.begin(first.flags());
            }
            underWay = true;
            settle();
        }
    }

    /** Ends the agreement that is under way, if it is decided or cannot be any more. */
    private void settle() {
        if (!underWay) {
            return;
        }
        Verdict verdict = agreement.verdict(number);
        if (verdict != null && !verdict.absent().get(group.self())) {
            end(new Decision(number, verdict), null);
        } else if (verdict != null || agreement.isExcluded()) {
            end(null, excluded());
        } else if (closed) {
            end(null, new TransportException("the communicator was closed meanwhile", null));
        }
    }

    /** The next one begins when no code of this one is on the stack. */
    private void end(@Nullable Decision decision, @Nullable MadcastException why) {
        underWay = false;
        pending.remove().future().finish(decision, why);
        if (!pending.isEmpty()) {
            endpoint()
                    .defer(() -> {
                        boolean _ =
                                endpoint()
                                        .with(() -> {
                                            start();
                                            return true;
                                        });
                    });
        }
    }

    private RankLostException excluded() {
        return new RankLostException(
                group.self(),
                "the other ranks have given this one, rank %d, up".formatted(group.self()));
    }

    /** Has the others informed when this rank closes the communicator. */
    void expectClose() {
        used = true;
    }

    /** The ranks that have sent this one something, or may wait for it, need not wait any more. */
    void close() {
        closed = true;
        settle();
        if (used) {
            BitSet absent = absent();
            for (int rank = 0; rank < group.size(); rank++) {
                if (rank != group.self() && !absent.get(rank)) {
                    endpoint().notice(group.inWorld(rank), group.context(), new byte[0]);
                }
            }
        }
    }
}

package org.madcast.client.internal;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.madcast.client.MadcastException;
import org.madcast.client.message.MessageEndpoint;

/**
 * A communicator's ranks within the world of an endpoint, and what its collective calls have in
 * common. Its fields that are not final are used under the endpoint's lock.
 */
final class MessageGroup implements MessageEndpoint.Context {

    /** Collective calls must not meet receives from any source with any tag. */
    private static final long COLLECTIVE = 0x9E3779B97F4A7C15L;

    private final SharedEndpoint shared;
    private final List<Integer> world;
    private final Map<Integer, Integer> numbers = new HashMap<>();
    private final int self;
    private final long context;
    private final Set<ScheduleRun> running = new HashSet<>();
    private int calls;
    private @Nullable MadcastException failure;

    /** How many communicators use an endpoint, which is closed with the last one. */
    static final class SharedEndpoint {
        private final MessageEndpoint endpoint;
        private int users;

        SharedEndpoint(MessageEndpoint endpoint) {
            this.endpoint = endpoint;
        }

        private synchronized void use() {
            users++;
        }

        private void leave() {
            boolean last;
            synchronized (this) {
                last = --users == 0;
            }
            if (last) {
                endpoint.close();
            }
        }
    }

    /**
     * A communicator.
     *
     * @param world the number in the world of each of its ranks
     * @param context the same on all of its ranks, and of no other communicator
     */
    MessageGroup(SharedEndpoint shared, List<Integer> world, int self, long context) {
        this.shared = shared;
        this.world = List.copyOf(world);
        this.self = self;
        this.context = context;
        for (int rank = 0; rank < world.size(); rank++) {
            numbers.put(world.get(rank), rank);
        }
        shared.use();
        endpoint().open(context, this);
        endpoint().open(collectiveContext(), this);
    }

    /** The group of the communicator in which the processes met. */
    static MessageGroup ofWorld(MessageEndpoint endpoint, int size, int self, long token) {
        List<Integer> all = IntStream.range(0, size).boxed().toList();
        return new MessageGroup(new SharedEndpoint(endpoint), all, self, token);
    }

    /** The group of some of the ranks, in the order of their new numbers. */
    MessageGroup part(List<Integer> ranks, int newSelf, long newContext) {
        return new MessageGroup(
                shared, ranks.stream().map(world::get).toList(), newSelf, newContext);
    }

    MessageEndpoint endpoint() {
        return shared.endpoint;
    }

    long context() {
        return context;
    }

    long collectiveContext() {
        return context ^ COLLECTIVE;
    }

    int size() {
        return world.size();
    }

    int self() {
        return self;
    }

    /** The number in the world of a rank. */
    int inWorld(int rank) {
        return world.get(rank);
    }

    /** The rank of a process in this communicator; -1 when it is not in it. */
    int rankOf(int number) {
        return numbers.getOrDefault(number, -1);
    }

    @Override
    public boolean isMember(int number) {
        return numbers.containsKey(number);
    }

    @Override
    public void onAbort(byte[] why) {
        fail(CallFailure.read(why).toException(), null);
    }

    /** Takes a place in the order of collective calls. */
    int begin(ScheduleRun run) {
        if (failure != null) {
            throw failure;
        }
        running.add(run);
        return calls++ & Integer.MAX_VALUE;
    }

    void end(ScheduleRun run) {
        running.remove(run);
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
        for (ScheduleRun each : Set.copyOf(running)) {
            each.fail(why);
        }
    }

    /** No message of this communicator is sent or received any more. */
    void close() {
        endpoint().close(context);
        endpoint().close(collectiveContext());
        shared.leave();
    }
}

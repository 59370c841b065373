package org.madcast.client.internal;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.madcast.client.Communicator;
import org.madcast.client.CommunicatorConfig;

/**
 * Makes communicators out of a communicator. Each rank computes the new context by itself; only a
 * split needs to exchange what each rank wants.
 */
final class Splitting {

    private static final int WISH_BYTES = 2 * Integer.BYTES;

    /** Tells the contexts of {@link #group} from those of numbered communicators. */
    private static final long BY_RANKS = -1;

    /** Tells the contexts of {@link #shrink} from the others. */
    private static final long SHRUNK = -3;

    /** Tells the contexts of {@link #ofPlaces} from the others. */
    private static final long PLACES = -4;

    private final CollectiveCommunicator parent;
    private final MessageGroup group;

    private record Wish(int rank, int color, int key) {}

    Splitting(CollectiveCommunicator parent) {
        this.parent = parent;
        this.group = parent.group();
    }

    Communicator dup() {
        int number = group.endpoint().with(group::nextChild);
        List<Integer> all = IntStream.range(0, group.size()).boxed().toList();
        return part(all, group.contextOf(number, 0), "." + number);
    }

    Optional<Communicator> split(int color, int key) {
        byte[] own = ByteBuffer.allocate(WISH_BYTES).putInt(color).putInt(key).array();
        byte[] all = new byte[WISH_BYTES * group.size()];
        int[] number = new int[1];
        CompletableFuture<Void> exchange =
                group.endpoint()
                        .with(() -> {
                            number[0] = group.nextChild();
                            return parent.iallgather(
                                    MemorySegment.ofArray(own), MemorySegment.ofArray(all));
                        });
        CollectiveCommunicator.await(exchange);
        if (color < 0) {
            return Optional.empty();
        }
        return Optional.of(
                part(
                        ofColor(color, ByteBuffer.wrap(all)),
                        group.contextOf(number[0], color),
                        "." + number[0] + "." + color));
    }

    /** The ranks that want this colour, in the order of their new numbers. */
    private List<Integer> ofColor(int color, ByteBuffer wishes) {
        List<Wish> same = new ArrayList<>();
        for (int rank = 0; rank < group.size(); rank++) {
            Wish wish = new Wish(rank, wishes.getInt(), wishes.getInt());
            if (wish.color() == color) {
                same.add(wish);
            }
        }
        same.sort(Comparator.comparingInt(Wish::key)); // stable: equal keys stay in order of ranks
        return same.stream().map(Wish::rank).toList();
    }

    /** A communicator of these ranks, made by them alone. */
    Communicator ofRanks(List<Integer> ranks, long id) {
        check(ranks);
        long[] named = new long[ranks.size() + 2];
        named[0] = BY_RANKS;
        named[1] = id;
        for (int i = 0; i < ranks.size(); i++) {
            named[i + 2] = ranks.get(i);
        }
        long identifier = group.contextOf(named);
        int before = group.endpoint().with(() -> group.madeBefore(identifier));
        long context = group.contextOf(BY_RANKS, identifier, before);
        return part(ranks, context, ".g%016x".formatted(context));
    }

    /** Begins a communicator of the ranks of which all agree that they live. */
    CompletableFuture<Communicator> shrink() {
        return group.survival().begin(-1, this::shrunk);
    }

    private Communicator shrunk(GroupSurvival.Decision decision) {
        BitSet absent = decision.verdict().absent();
        List<Integer> ranks =
                IntStream.range(0, group.size()).filter(it -> !absent.get(it)).boxed().toList();
        int number = decision.number();
        return part(ranks, group.contextOf(SHRUNK, number), ".s" + number);
    }

    /** A communicator of the ranks that have a place since an agreement; -1 for the first. */
    Communicator ofPlaces(List<Integer> ranks, int number) {
        return part(ranks, group.contextOf(PLACES, number), ".r" + (number + 1));
    }

    private void check(List<Integer> ranks) {
        boolean[] seen = new boolean[group.size()];
        for (int rank : ranks) {
            int _ = parent.checkRank("rank", rank);
            if (seen[rank]) {
                throw new IllegalArgumentException("rank " + rank + " is twice in " + ranks);
            }
            seen[rank] = true;
        }
        if (!seen[group.self()]) {
            throw new IllegalArgumentException(
                    "rank %d makes a communicator of %s, to which it does not belong"
                            .formatted(group.self(), ranks));
        }
    }

    private Communicator part(List<Integer> ranks, long context, String suffix) {
        String name = parent.info().name() + suffix;
        if (name.length() > CommunicatorConfig.LONGEST_NAME) {
            name = "%s.c%016x".formatted(group.world().config().name(), context);
            name = name.substring(Math.max(0, name.length() - CommunicatorConfig.LONGEST_NAME));
        }
        return new PartCommunicator(group.part(ranks, context), name);
    }
}

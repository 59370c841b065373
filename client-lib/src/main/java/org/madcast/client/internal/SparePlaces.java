package org.madcast.client.internal;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Communicator;
import org.madcast.client.RankLostException;
import org.madcast.client.Spares;
import org.madcast.client.message.MessageEndpoint;

/**
 * Which rank has which place. All ranks and all spares take part in each agreement of the
 * communicator in which they have joined, so each computes the places from the verdicts by itself.
 */
public final class SparePlaces implements Spares {

    private final CollectiveCommunicator all;
    private final MessageGroup group;

    /** The ranks that work, by their places. */
    private List<Integer> places;

    /** The spares that are left, in ascending order. */
    private final List<Integer> spares;

    private @Nullable Communicator given;

    /** The last {@code spares} ranks of all are spare. */
    public SparePlaces(Communicator all, int spares) {
        this.all = (CollectiveCommunicator) all;
        this.group = this.all.group();
        int working = all.size() - spares;
        this.places = IntStream.range(0, working).boxed().toList();
        this.spares = new ArrayList<>(IntStream.range(working, all.size()).boxed().toList());
        boolean _ =
                group.endpoint()
                        .with(() -> {
                            group.survival().expectClose();
                            return true;
                        });
    }

    @Override
    public Optional<Communicator> awaitPlace() {
        if (given == null && isPlaced()) {
            given = new Splitting(all).ofPlaces(places, -1);
        }
        while (given == null) {
            GroupSurvival.Decision decision = group.survival().agree(-1);
            BitSet absent = decision.verdict().absent();
            if (places.stream().allMatch(absent::get)) {
                checkClosed();
                return Optional.empty();
            }
            take(decision);
        }
        return Optional.of(given);
    }

    @Override
    public Communicator restore() {
        Communicator before = given;
        if (before == null) {
            throw new IllegalStateException("a spare that has no place has nothing to restore");
        }
        before.revoke();
        take(group.survival().agree(-1));
        before.close();
        return Objects.requireNonNull(given);
    }

    private boolean isPlaced() {
        return places.contains(group.self());
    }

    /** Has spares take the places of those that are absent. */
    private void take(GroupSurvival.Decision decision) {
        BitSet absent = decision.verdict().absent();
        spares.removeIf(absent::get);
        List<Integer> now = new ArrayList<>();
        for (int holder : places) {
            if (!absent.get(holder)) {
                now.add(holder);
            } else if (!spares.isEmpty()) {
                now.add(spares.removeFirst());
            }
        }
        places = List.copyOf(now);
        if (isPlaced()) {
            given = new Splitting(all).ofPlaces(places, decision.number());
        }
    }

    /** That those with a place have gone by themselves, at least one. */
    private void checkClosed() {
        boolean lost =
                group.endpoint()
                        .with(() ->
                                places.stream()
                                        .map(it -> group.endpoint().lost(group.inWorld(it)))
                                        .allMatch(why ->
                                                why != null && !why.equals(MessageEndpoint.LEFT)));
        if (lost) {
            throw new RankLostException(places.getFirst(), "all ranks that worked are lost");
        }
    }

    @Override
    public void close() {
        Communicator last = given;
        if (last != null) {
            last.close();
        }
        all.close();
    }
}

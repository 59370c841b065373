package org.madcast.client.schedule;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What one rank does in a collective operation, in rounds. In a round first its copies and combines
 * are done, in their order, then all of its sends and receives begin at once; the next round begins
 * when all of them are complete. Between two ranks the messages of a schedule match in the order of
 * their steps.
 *
 * @param rounds the steps of each round
 * @param scratch how many elements of memory the rank needs besides the caller's
 */
public record Schedule(List<List<Step>> rounds, long scratch) {

    /** Takes a copy that does not change, in which the receives of a round come last. */
    public Schedule {
        rounds = rounds.stream().map(Schedule::receivesLast).toList();
    }

    private static List<Step> receivesLast(List<Step> round) {
        List<Step> ordered = new ArrayList<>(round);
        ordered.sort(Comparator.comparing(step -> step instanceof Step.Receive)); // stable
        return List.copyOf(ordered);
    }

    /**
     * The same between other ranks.
     *
     * @param ranks in place of rank 0, 1, ...
     */
    Schedule withPeers(int... ranks) {
        return new Schedule(
                rounds.stream()
                        .map(round -> round.stream().map(step -> withPeer(step, ranks)).toList())
                        .toList(),
                scratch);
    }

    private static Step withPeer(Step step, int... ranks) {
        return switch (step) {
            case Step.Send send -> new Step.Send(ranks[send.peer()], send.data());
            case Step.Receive receive -> new Step.Receive(ranks[receive.peer()], receive.into());
            case Step.Copy _, Step.Combine _ -> step;
        };
    }

    /** Gathers steps into rounds. */
    static final class Builder {
        private final List<List<Step>> rounds = new ArrayList<>();
        private List<Step> current = new ArrayList<>();
        private boolean communicates;
        private long scratch;

        /** A part of the scratch memory that no other step has. */
        Slice scratch(long elements) {
            Slice slice = Slice.scratch(scratch, elements);
            scratch += elements;
            return slice;
        }

        Builder send(int peer, Slice data) {
            communicates = true;
            current.add(new Step.Send(peer, data));
            return this;
        }

        Builder receive(int peer, Slice into) {
            communicates = true;
            current.add(new Step.Receive(peer, into));
            return this;
        }

        /** Of a round that has no send or receive yet; else in the next one. */
        Builder copy(Slice from, Slice to) {
            if (from.count() > 0 && !from.equals(to)) {
                local(new Step.Copy(from, to));
            }
            return this;
        }

        Builder combine(Slice from, Slice into, boolean fromIsLeft) {
            if (from.count() > 0) {
                local(new Step.Combine(from, into, fromIsLeft));
            }
            return this;
        }

        private void local(Step step) {
            if (communicates) {
                round();
            }
            current.add(step);
        }

        /** What follows needs what came before. */
        Builder round() {
            if (!current.isEmpty()) {
                rounds.add(current);
                current = new ArrayList<>();
            }
            communicates = false;
            return this;
        }

        Schedule build() {
            round();
            return new Schedule(rounds, scratch);
        }
    }
}

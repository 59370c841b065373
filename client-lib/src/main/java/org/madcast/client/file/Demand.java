package org.madcast.client.file;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What all ranks together need of a batch. For one thread. */
final class Demand {

    private final boolean[] needed;
    private final long[] offsets;
    private final List<@Nullable List<Need>> candidates;

    Demand(int count) {
        needed = new boolean[count];
        offsets = new long[count];
        candidates = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            candidates.add(null);
        }
    }

    /** Adds what one rank needs. */
    void add(List<Need> needs) {
        for (int i = 0; i < needs.size(); i++) {
            Need need = needs.get(i);
            if (need.state() == Need.State.CANDIDATE) {
                addCandidate(i, need);
            } else {
                merge(i, need);
            }
        }
    }

    private void addCandidate(int i, Need need) {
        List<Need> known = candidates.get(i);
        if (known == null) {
            known = new ArrayList<>();
            candidates.set(i, known);
        }
        known.add(need);
    }

    private void merge(int i, Need need) {
        if (need.state() == Need.State.MISSING) {
            offsets[i] = needed[i] ? Math.min(offsets[i], need.offset()) : need.offset();
            needed[i] = true;
        }
    }

    /** Whether some rank has something that may be the file. */
    boolean hasCandidates(int i) {
        return candidates.get(i) != null;
    }

    /** What is to be sent, given the file's digest if there are candidates. */
    Plan.Item item(int i, @Nullable Digest digest) {
        List<Need> known = candidates.get(i);
        if (known != null) {
            known.forEach(need -> merge(i, need.settled(digest)));
        }
        return new Plan.Item(needed[i], needed[i] ? offsets[i] : 0, digest);
    }
}

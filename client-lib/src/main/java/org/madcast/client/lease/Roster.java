package org.madcast.client.lease;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Who is there, as rank 0 knows it: admits or refuses those who present themselves, and collects
 * the members. No I/O, no clock; one thread at a time.
 */
final class Roster {

    private static final int MOST_REFUSALS_KEPT = 10;

    private final HelloMessage own;
    private final Map<Integer, Guest> guests = new TreeMap<>();
    private final List<@Nullable Member> members;
    private final Set<String> refusals = new LinkedHashSet<>();

    /**
     * Who took a rank.
     *
     * @param peer where it came from last
     * @param visits how many of its connections have not ended before it was a member
     */
    private record Guest(String instance, String peer, int visits) {}

    /** Rank 0's answer to a hello. */
    sealed interface Admission {
        /** The rank takes part. */
        record Welcome() implements Admission {}

        /** It does not; {@code reason} is a sentence for its user. */
        record Refused(String reason) implements Admission {}
    }

    /** Starts with rank 0 alone, which presents itself to itself. */
    Roster(HelloMessage own, String peer) {
        this.own = own;
        this.members = new ArrayList<>(Collections.nCopies(own.size(), null));
        guests.put(own.rank(), new Guest(own.instance(), peer, 1));
    }

    /** Decides about a rank that presents itself from {@code peer}. */
    Admission admit(HelloMessage hello, String peer) {
        String reason = reasonToRefuse(hello);
        if (reason != null) {
            return refuse(reason, peer);
        }
        Guest before = guests.get(hello.rank());
        int visits = before == null ? 1 : before.visits() + 1;
        guests.put(hello.rank(), new Guest(hello.instance(), peer, visits));
        return new Admission.Welcome();
    }

    /** Refuses a rank for a reason that was found elsewhere. */
    Admission refuse(String reason, String peer) {
        if (refusals.size() < MOST_REFUSALS_KEPT) {
            refusals.add(peer + " was refused: " + reason);
        }
        return new Admission.Refused(reason);
    }

    private @Nullable String reasonToRefuse(HelloMessage hello) {
        if (!hello.job().equals(own.job()) || !hello.name().equals(own.name())) {
            return "rank 0 belongs to communicator '%s' of job '%s', but rank %d to '%s' of job '%s'"
                    .formatted(own.name(), own.job(), hello.rank(), hello.name(), hello.job());
        }
        if (hello.size() != own.size()) {
            return "rank 0 was started with size %d, but rank %d with size %d"
                    .formatted(own.size(), hello.rank(), hello.size());
        }
        if (hello.rank() >= own.size()) {
            return "rank %d is outside 0 to %d".formatted(hello.rank(), own.size() - 1);
        }
        Guest guest = guests.get(hello.rank());
        if (guest != null && !guest.instance().equals(hello.instance())) {
            return "rank %d is taken by the process at %s".formatted(hello.rank(), guest.peer());
        }
        return null;
    }

    /**
     * A connection of an admitted rank ended before it was a member: its place is free again,
     * unless it has come by another one meanwhile.
     */
    void forget(HelloMessage hello) {
        Guest guest = guests.get(hello.rank());
        if (guest != null
                && guest.instance().equals(hello.instance())
                && members.get(hello.rank()) == null) {
            if (guest.visits() > 1) {
                int left = guest.visits() - 1;
                guests.put(hello.rank(), new Guest(guest.instance(), guest.peer(), left));
            } else {
                guests.remove(hello.rank());
            }
        }
    }

    /** An admitted rank reported its address. */
    void register(Member member) {
        members.set(member.rank(), member);
    }

    boolean isComplete() {
        return !members.contains(null);
    }

    /** All members by rank, once complete. */
    List<Member> members() {
        return members.stream().map(Objects::requireNonNull).toList();
    }

    /** A sentence on who is missing and who was refused. */
    String explanation() {
        String missing = Ranks.name(Ranks.missing(members)) + " did not come";
        return refusals.isEmpty() ? missing : missing + "; " + String.join("; ", refusals);
    }
}

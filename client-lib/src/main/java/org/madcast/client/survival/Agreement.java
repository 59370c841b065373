package org.madcast.client.survival;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.madcast.client.survival.Notice.Kind;

/**
 * One rank's part in the agreements of a communicator, which come one after the other and are
 * numbered. Each ends at all ranks that live, and with the same verdict at all ranks at which it
 * ends, those included that die afterwards (uniform agreement).
 *
 * <p><b>How.</b> The lowest rank that is present is the coordinator. All send it what they
 * contribute. When each rank that is present has, it <em>proposes</em> a verdict; each rank
 * <em>accepts</em> it and says so; when each that is present has, the coordinator has decided, and
 * tells all. If it is lost, the next rank is the coordinator. It hears from each rank whether it
 * has decided or accepted a verdict; such a one it proposes again, and only if nobody has any it
 * makes one of the contributions. Who has decided keeps the verdict, for ranks that ask later.
 *
 * <p><b>What it relies on.</b> (1) Frames of one sender arrive in their order until it is lost, and
 * nothing arrives from it after that. (2) Who is held to be lost is dead. Who has closed the
 * communicator is the same for it as one who is dead: it says nothing afterwards. Each notice
 * carries the ranks that its sender holds to be absent, and the receiver holds them to be absent
 * before it does anything else.
 *
 * <p><b>Why all decide alike.</b> Let c be the first coordinator, in the order of ranks, that
 * decides, and v its verdict. Each rank that c does not hold to be absent has accepted v. Let d be
 * a later coordinator. It lives when c decides, so it has accepted v, too, and before it held c to
 * be absent, since it would have ignored c then. Before that it was no coordinator. When a rank
 * accepts v it holds all ranks below c to be absent, and ignores them from then on. So what it
 * accepts after v comes from coordinators above c. The first of these proposes when each rank that
 * is present has told it, while it held c to be absent, what it accepted last: that is v. So it
 * proposes v, and by induction so does each one after it. All others decide what one that has
 * decided tells them. Hence all that is ever decided is v.
 *
 * <p>That a coordinator also hears what others have accepted is for ranks that were held to be lost
 * wrongly: if c has decided without d, though d lives, d still learns of v from those that have
 * accepted it.
 *
 * <p><b>Why it ends.</b> A coordinator waits only for ranks that it believes to be present, the
 * others only for the coordinator; {@link #addAwaited} names them, so that death is noticed. Each
 * loss moves the role upwards at most once, and the last rank decides alone.
 *
 * <p><b>Memory.</b> A verdict is kept until the second next agreement begins here. Then the next
 * one is decided, to which all that live have contributed, after they had this verdict.
 *
 * <p>Not thread-safe. Ranks are those of the communicator.
 */
public final class Agreement {

    /** What an agreement needs of the world. */
    public interface Host {

        /** Sends a notice to another rank. */
        void send(int rank, Notice notice);

        /** Another rank has said that this one is lost. */
        void onLostElsewhere(int rank);
    }

    private final int self;
    private final int size;
    private final Host host;
    private final BitSet lost = new BitSet();
    private final BitSet gone = new BitSet();

    /** How far the others are, by the number of the agreement, then by rank. */
    private final Map<Integer, Map<Integer, Notice>> reports = new HashMap<>();

    private final Map<Integer, Verdict> verdicts = new HashMap<>();
    private int current = -1;
    private Verdict contribution = Notice.NONE;
    private @Nullable Verdict accepted;

    /** The coordinator that knows what this rank contributes. */
    private int told = -1;

    private boolean asked;
    private @Nullable Verdict proposal;
    private boolean excluded;

    /** A rank that has begun nothing. */
    public Agreement(int self, int size, Host host) {
        this.self = self;
        this.size = size;
        this.host = host;
    }

    /** Begins the next agreement; the last one must have been decided. Returns its number. */
    public int begin(long flags) {
        if (current >= 0 && verdict(current) == null) {
            throw new IllegalStateException("agreement " + current + " is under way");
        }
        current++;
        verdicts.remove(current - 2);
        reports.remove(current - 1);
        contribution = new Verdict(flags, absent());
        accepted = null;
        told = -1;
        asked = false;
        proposal = null;
        advance();
        return current;
    }

    /** What was decided; null while nothing is. */
    public @Nullable Verdict verdict(int number) {
        return verdicts.get(number);
    }

    /** Whether the others hold this rank to be lost: it takes part in nothing any more. */
    public boolean isExcluded() {
        return excluded;
    }

    /** The ranks that are lost or have closed the communicator, as far as is known; a copy. */
    public BitSet absent() {
        BitSet both = (BitSet) lost.clone();
        both.or(gone);
        return both;
    }

    private boolean isPresent(int rank) {
        return !lost.get(rank) && !gone.get(rank);
    }

    private int coordinator() {
        return absent().nextClearBit(0);
    }

    /** Another rank is lost. */
    public void onLost(int rank) {
        lost.set(rank);
        advance();
    }

    /** Another rank has closed the communicator. */
    public void onClosed(int rank) {
        gone.set(rank);
        advance();
    }

    /** A notice of another rank has come. */
    public void onNotice(int from, Notice notice) {
        if (excluded || !isPresent(from)) {
            return;
        }
        hold(notice);
        if (excluded) {
            return;
        }
        int number = notice.number();
        Verdict decided = verdicts.get(number);
        switch (notice.kind()) {
            case ASK -> {
                if (decided != null) {
                    send(from, Kind.DECIDED, number, decided);
                } else if (number == current) {
                    report(from);
                }
            }
            case CONTRIBUTE, ACCEPTED -> {
                if (decided != null) {
                    send(from, Kind.DECIDED, number, decided);
                } else if (number >= current) {
                    note(from, notice);
                }
            }
            case DECIDED -> {
                if (number == current && decided == null) {
                    decide(notice.verdict());
                }
            }
            case PROPOSE -> {
                if (decided != null) {
                    send(from, Kind.DECIDED, number, decided);
                } else if (number == current) {
                    accepted = notice.verdict();
                    report(from);
                }
            }
            case REVOKE, WAITS -> {
                // Nothing is agreed on.
            }
        }
        advance();
    }

    /** Believes what the sender knows of other ranks. */
    private void hold(Notice notice) {
        excluded = notice.lost().get(self) || notice.gone().get(self);
        if (excluded) {
            return;
        }
        BitSet fresh = (BitSet) notice.lost().clone();
        fresh.andNot(lost);
        lost.or(fresh);
        gone.or(notice.gone());
        fresh.stream().forEach(host::onLostElsewhere);
    }

    private void note(int from, Notice report) {
        reports.computeIfAbsent(report.number(), _ -> new HashMap<>()).put(from, report);
    }

    private void send(int rank, Kind kind, int number, Verdict verdict) {
        host.send(
                rank,
                new Notice(kind, number, verdict, (BitSet) lost.clone(), (BitSet) gone.clone()));
    }

    /** Says how far this rank is. */
    private void report(int to) {
        Verdict held = accepted;
        if (held == null) {
            send(to, Kind.CONTRIBUTE, current, contribution);
        } else {
            send(to, Kind.ACCEPTED, current, held);
        }
    }

    private void decide(Verdict verdict) {
        verdicts.put(current, verdict);
        reports.remove(current);
        if (coordinator() == self) {
            tellPresent(Kind.DECIDED, verdict);
        }
    }

    private void tellPresent(Kind kind, Verdict verdict) {
        for (int rank = 0; rank < size; rank++) {
            if (rank != self && isPresent(rank)) {
                send(rank, kind, current, verdict);
            }
        }
    }

    /** Does what follows from what is known. */
    private void advance() {
        if (current < 0 || excluded || verdicts.containsKey(current)) {
            return;
        }
        int leader = coordinator();
        if (leader != self) {
            if (told != leader) {
                told = leader;
                report(leader);
            }
            return;
        }
        Map<Integer, Notice> heard = reports.getOrDefault(current, Map.of());
        if (!asked) {
            asked = true;
            for (int rank = 0; rank < size; rank++) {
                if (rank != self && isPresent(rank) && !heard.containsKey(rank)) {
                    send(rank, Kind.ASK, current, Notice.NONE);
                }
            }
        }
        if (proposal == null && missing().isEmpty()) {
            propose(heard);
        }
        Verdict proposed = proposal;
        if (proposed != null && missing().isEmpty()) {
            decide(proposed);
        }
    }

    /**
     * Who has not said yet what it contributes or, once there is a proposal, that it accepts it.
     */
    private BitSet missing() {
        Map<Integer, Notice> heard = reports.getOrDefault(current, Map.of());
        BitSet missing = new BitSet();
        for (int rank = 0; rank < size; rank++) {
            Notice report = heard.get(rank);
            boolean has =
                    report != null
                            && (proposal == null
                                    || (report.kind() == Kind.ACCEPTED
                                            && report.verdict().equals(proposal)));
            missing.set(rank, rank != self && isPresent(rank) && !has);
        }
        return missing;
    }

    /** Proposes what a rank has accepted, else what follows from the contributions. */
    private void propose(Map<Integer, Notice> heard) {
        Verdict verdict = accepted;
        for (Map.Entry<Integer, Notice> each : heard.entrySet()) {
            if (each.getValue().kind() == Kind.ACCEPTED && isPresent(each.getKey())) {
                verdict = each.getValue().verdict();
            }
        }
        if (verdict == null) {
            verdict = new Verdict(contribution.flags(), absent());
            for (Notice each : heard.values()) {
                verdict = verdict.and(each.verdict());
            }
        }
        proposal = verdict;
        accepted = verdict;
        reports.remove(current); // from now on they say who has accepted
        tellPresent(Kind.PROPOSE, verdict);
    }

    /** Adds the ranks of which something is waited for. */
    public void addAwaited(Set<Integer> ranks) {
        if (current < 0 || excluded || verdicts.containsKey(current)) {
            return;
        }
        int leader = coordinator();
        if (leader == self) {
            missing().stream().forEach(ranks::add);
        } else {
            ranks.add(leader);
        }
    }
}

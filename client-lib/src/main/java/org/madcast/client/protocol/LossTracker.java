package org.madcast.client.protocol;

import static org.madcast.client.protocol.StreamPaths.IN_ORDER;
import static org.madcast.client.protocol.StreamPaths.UNKNOWN;

import java.util.Arrays;

/**
 * Knows which fragments of the stream are missing here, when each is to be asked for, and how long
 * repairs take.
 *
 * <p>{@code contiguous} is the first sequence that has not arrived; {@code highest} is one past the
 * last that is known to have been sent, by its own arrival or by another rank's announcement. What
 * lies between and is not in the ring is missing. A fresh gap is given {@link #REORDER_GRACE_NS},
 * or three later fragments, to close by itself; what is asked for, and again, the {@link
 * RepairPace} says.
 *
 * <p>Invariant: {@code contiguous <= highest <= contiguous + capacity}.
 */
final class LossTracker {

    static final long REORDER_GRACE_NS = 300_000;

    /** Requests are not closer to each other than this: what else is missing joins the next one. */
    static final long SPACING_NS = 200_000;

    private static final int REORDER_FRAGMENTS = 3;

    /** In the place of a number of attempts: it may still come by itself. */
    private static final byte FRESH = -1;

    /** The same: it may not have been sent yet. */
    private static final byte UNSENT = -2;

    /** Attempts are counted up to here and go on from half of it, a multiple of 2 and 3. */
    private static final int MANY = 120;

    private final FragmentRing ring;
    private final StreamPaths paths;
    private final long secondStageNs;
    private final int[] from;
    private final long[] noticedNs;
    private final long[] askedNs;
    private final long[] dueNs;
    private final byte[] attempts;
    private final DurationHistogram repairTimes = new DurationHistogram();
    private long contiguous;
    private long highest;
    private long missing;
    private long lost;
    private long voidStart;
    private long voidEnd = -1;
    private long nextDueNs = ProtocolEngine.NO_DEADLINE;
    private long lastRequestNs = Long.MIN_VALUE / 2;
    private final RepairPace pace = new RepairPace();
    private boolean held;

    /** From here on nothing is marked {@link #UNSENT}. */
    private long unsentEnd;

    /**
     * Of a rank to which nothing has come.
     *
     * @param secondStageNs for how long a second stage may bring what is missing
     */
    LossTracker(FragmentRing ring, StreamPaths paths, long secondStageNs) {
        this.ring = ring;
        this.paths = paths;
        this.secondStageNs = secondStageNs;
        this.from = new int[ring.capacity()];
        this.noticedNs = new long[ring.capacity()];
        this.askedNs = new long[ring.capacity()];
        this.dueNs = new long[ring.capacity()];
        this.attempts = new byte[ring.capacity()];
    }

    long contiguous() {
        return contiguous;
    }

    long highest() {
        return highest;
    }

    boolean isMissing(long sequence) {
        return sequence >= contiguous && sequence < highest && !ring.has(sequence);
    }

    /** How many fragments have not arrived, of those up to {@link #highest}. */
    long missing() {
        return missing;
    }

    boolean anyMissing() {
        return missing > 0;
    }

    /** Whether the first missing fragment is known to have been sent. */
    boolean awaitsSent() {
        return missing > 0 && attempts[ring.slot(contiguous)] != UNSENT;
    }

    /** Whether nothing shows that another rank has sent the fragment. */
    boolean mayBeUnsent(long sequence) {
        return sequence >= highest
                || (!ring.has(sequence) && attempts[ring.slot(sequence)] == UNSENT);
    }

    /** Fragments that did not come in time. */
    long lost() {
        return lost;
    }

    DurationHistogram repairTimes() {
        return repairTimes;
    }

    long nextDueNs() {
        return missing > 0
                ? Math.max(nextDueNs, lastRequestNs + SPACING_NS)
                : ProtocolEngine.NO_DEADLINE;
    }

    /** The fragment was put into the ring and had not been there before. */
    void onArrival(long nowNs, long sequence) {
        onArrival(nowNs, sequence, 1, 0);
    }

    /**
     * As {@link #onArrival(long, long)} for a fragment of a message that is dealt into parts, which
     * come on different ways: in order is only what belongs to the same part.
     *
     * @param parts how many
     * @param fragment the fragment's number in its message
     */
    void onArrival(long nowNs, long sequence, int parts, long fragment) {
        long start = sequence - fragment;
        noteSent(nowNs, contiguous, start, IN_ORDER);
        note(nowNs, sequence);
        if (missing > 0 && parts > 1) {
            hurryPart(nowNs, sequence, parts, start);
        } else if (missing > 0 && highest - contiguous > REORDER_FRAGMENTS) {
            hurry(nowNs);
        }
    }

    /**
     * As {@link #onArrival(long, long)} for a fragment that its root sent before it had what
     * precedes the message: this may not have been sent yet.
     */
    void onAhead(long nowNs, long sequence, long fragment, int root) {
        noteUnsent(sequence - fragment);
        noteSent(nowNs, sequence - fragment, sequence, root);
        note(nowNs, sequence);
    }

    /** This rank itself made the fragment, of the message that begins at {@code start}. */
    void onOwn(long nowNs, long sequence, long start) {
        noteUnsent(start);
        note(nowNs, sequence);
    }

    private void note(long nowNs, long sequence) {
        if (sequence >= highest) {
            noteGap(nowNs, sequence);
            highest = sequence + 1;
        } else {
            missing--;
            noteRepair(nowNs, ring.slot(sequence));
        }
        while (contiguous < highest && ring.has(contiguous)) {
            contiguous++;
        }
    }

    /** What lies before the end, and was not known of, may not have been sent yet. */
    private void noteUnsent(long end) {
        for (; highest < end; highest++) {
            int slot = ring.slot(highest);
            from[slot] = UNKNOWN;
            attempts[slot] = UNSENT;
            dueNs[slot] = ProtocolEngine.NO_DEADLINE;
            missing++;
            unsentEnd = highest + 1;
        }
    }

    /** These were sent, as a rank shows that surely has them. */
    private void noteSent(long nowNs, long start, long end, int by) {
        for (long s = Math.max(start, contiguous); s < Math.min(end, unsentEnd); s++) {
            int slot = ring.slot(s);
            if (attempts[slot] == UNSENT && !ring.has(s)) {
                from[slot] = by;
                noticedNs[slot] = nowNs;
                attempts[slot] = FRESH;
                dueNs[slot] = nowNs + REORDER_GRACE_NS;
                nextDueNs = Math.min(nextDueNs, dueNs[slot]);
            }
        }
    }

    /** What came before in the same part is late by now, the tail of the message before too. */
    private void hurryPart(long nowNs, long sequence, int parts, long start) {
        long s = hurryBack(nowNs, sequence - parts, parts, start);
        if (s < start) {
            long tail = paths.tailOfPart(start, Math.floorMod(sequence - start, parts));
            hurryBack(nowNs, tail, parts, paths.startBefore(start));
        }
    }

    /** Goes back through the missing fragments of a part; returns where it ended. */
    private long hurryBack(long nowNs, long last, int parts, long start) {
        long lateNs = nowNs + REORDER_GRACE_NS;
        long s = last;
        while (s >= Math.max(start, contiguous) && !ring.has(s)) {
            int slot = ring.slot(s);
            if (attempts[slot] > 0 || dueNs[slot] <= lateNs) {
                return s;
            }
            dueNs[slot] = lateNs;
            nextDueNs = Math.min(nextDueNs, lateNs);
            s -= parts;
        }
        return s;
    }

    /**
     * A rank holds everything below the sequence and has handed on to this rank what it had to.
     * What of that is not here is lost.
     *
     * @param unknownToo whether that includes messages of which nothing was seen here
     */
    void onKnownSent(long nowNs, int sender, long sequence, boolean unknownToo) {
        long bounded = Math.min(sequence, contiguous + ring.capacity());
        if (bounded > highest) {
            noteGap(nowNs, bounded);
            highest = bounded;
        }
        noteSent(nowNs, contiguous, bounded, sender);
        long lateNs = nowNs + REORDER_GRACE_NS;
        for (long s = contiguous; missing > 0 && s < bounded; s++) {
            int slot = ring.slot(s);
            boolean sent = from[slot] == sender || (unknownToo && from[slot] == UNKNOWN);
            if (sent && attempts[slot] == FRESH && dueNs[slot] > lateNs && !ring.has(s)) {
                dueNs[slot] = lateNs;
                nextDueNs = Math.min(nextDueNs, lateNs);
            }
        }
    }

    /** The rank that hands a missing fragment on to this one, as {@link StreamPaths#from}. */
    int from(long sequence) {
        return from[ring.slot(sequence)];
    }

    /**
     * Forgets what was announced, when nothing of it has come: this rank is to send it.
     *
     * @return whether there was anything
     */
    boolean withdraw() {
        boolean announced = missing > 0 && missing == highest - contiguous;
        if (announced) {
            highest = contiguous;
            missing = 0;
        }
        return announced;
    }

    /** This rank passed a place of the stream at which nothing is sent. */
    void onVoid(long sequence) {
        voidStart = voidEnd == sequence ? voidStart : sequence;
        voidEnd = sequence + 1;
        contiguous = voidEnd;
        highest = voidEnd;
    }

    /** What this rank may say that it holds: up to the last fragment, not to a place behind it. */
    long held() {
        return contiguous == voidEnd ? voidStart : contiguous;
    }

    /**
     * Hands out what is due, in rising order, and sets the time of the next attempt.
     *
     * @return the highest number of attempts among them before this one, or -1 when none was due
     */
    int collectDue(long nowNs, RangeList ranges) {
        int mostAttempts = -1;
        lastRequestNs = nowNs;
        nextDueNs = ProtocolEngine.NO_DEADLINE;
        int room = pace.window() - (missing > pace.window() ? awaited(nowNs) : 0);
        held = false;
        for (long s = contiguous; s < highest; s++) {
            if (ring.has(s)) {
                continue;
            }
            int slot = ring.slot(s);
            if (dueNs[slot] <= nowNs && attempts[slot] == FRESH) {
                awaitSecondStage(s, slot);
            }
            if (dueNs[slot] > nowNs) {
                nextDueNs = Math.min(nextDueNs, dueNs[slot]);
                continue;
            }
            if (attempts[slot] < 0) {
                attempts[slot] = 0;
                lost++;
            }
            if (room <= 0) {
                held = true;
            } else if (ranges.add(s)) {
                mostAttempts = Math.max(mostAttempts, attempts[slot]);
                noteAttempt(nowNs, slot);
                nextDueNs = Math.min(nextDueNs, dueNs[slot]);
                room--;
            } else {
                nextDueNs = nowNs;
                break;
            }
        }
        return mostAttempts;
    }

    /** What a second stage brings is not asked for, unless that has had its time. */
    private void awaitSecondStage(long sequence, int slot) {
        if (paths.isBroughtAgain(sequence)) {
            dueNs[slot] = Math.max(dueNs[slot], noticedNs[slot] + secondStageNs);
            from[slot] = from[slot] == IN_ORDER ? UNKNOWN : from[slot];
        }
    }

    /** How many were asked for and may still be on their way. */
    private int awaited(long nowNs) {
        int awaited = 0;
        for (long s = contiguous; s < highest; s++) {
            int slot = ring.slot(s);
            boolean asked = !ring.has(s) && attempts[slot] > 0;
            awaited += asked && dueNs[slot] > nowNs ? 1 : 0;
        }
        return awaited;
    }

    private void noteAttempt(long nowNs, int slot) {
        if (attempts[slot] > 0) {
            pace.onUnanswered(nowNs);
        }
        askedNs[slot] = nowNs;
        dueNs[slot] = nowNs + pace.patienceNs(attempts[slot], missing);
        attempts[slot] = (byte) (attempts[slot] == MANY ? MANY / 2 : attempts[slot] + 1);
    }

    private void noteGap(long nowNs, long end) {
        for (long s = highest; s < end; s++) {
            int slot = ring.slot(s);
            from[slot] = paths.from(s);
            noticedNs[slot] = nowNs;
            dueNs[slot] = paths.dueNs(nowNs, from[slot]);
            attempts[slot] = FRESH;
            nextDueNs = Math.min(nextDueNs, dueNs[slot]);
        }
        missing += Math.max(0, end - highest);
    }

    private void noteRepair(long nowNs, int slot) {
        if (attempts[slot] > 0) {
            repairTimes.record(nowNs - noticedNs[slot]);
            pace.onRepair(nowNs - askedNs[slot], attempts[slot]);
        }
        if (held) {
            nextDueNs = nowNs;
        }
    }

    /** Enough came after the first gap: it is no reordering, ask at once. */
    private void hurry(long nowNs) {
        if (nextDueNs <= nowNs) {
            return;
        }
        for (long s = contiguous; s < highest - REORDER_FRAGMENTS; s++) {
            int slot = ring.slot(s);
            if (attempts[slot] == FRESH && from[slot] == IN_ORDER && !ring.has(s)) {
                dueNs[slot] = nowNs;
                nextDueNs = nowNs;
            }
        }
    }

    /** Throws when an invariant is broken; for tests after every step. */
    void checkInvariants() {
        long counted = 0;
        for (long s = contiguous; s < highest; s++) {
            counted += ring.has(s) ? 0 : 1;
        }
        boolean ordered = contiguous <= highest && highest - contiguous <= ring.capacity();
        if (counted != missing || !ordered || (highest > contiguous && ring.has(contiguous))) {
            throw new IllegalStateException(
                    "contiguous "
                            + contiguous
                            + ", highest "
                            + highest
                            + ", missing "
                            + missing
                            + ", counted "
                            + counted
                            + ", attempts "
                            + Arrays.toString(attempts));
        }
    }
}

package org.madcast.client.protocol;

import java.util.List;

/**
 * By which path the fragments of the stream come to this rank. It knows the farthest message of
 * which anything was seen or called, and the one before.
 *
 * <p>Over multicast, and along one path, fragments arrive in the order of the stream, so that a gap
 * shows a loss. Fragments that come by another path than the one behind the gap may still be on
 * their way, for as long as the ranks on that path need. Only the rank that hands them on to this
 * one shows that they were sent: by a later fragment of the same part, or by a HAVE.
 *
 * <p>Worked example, {@code scatter_allgather} of 20 ranks: rank 19 gets fragment 1 after 18 ranks
 * have handed it on, and fragment 16 after two. Fragment 1 is not late when fragment 16 arrives.
 */
final class StreamPaths {

    /** The fragments arrive in the order of the stream. */
    static final int IN_ORDER = -1;

    /** Nothing of the fragment's message was seen. */
    static final int UNKNOWN = -2;

    /** What a message of which nothing was seen may need by another path, and for each rank. */
    private static final long UNKNOWN_GRACE_NS = 5_000_000;

    private static final long UNKNOWN_GRACE_PER_RANK_NS = 1_000_000;

    private final Dissemination[] ways;
    private final int[] parts;
    private final int rank;
    private final int size;
    private Message farthest = new Message();
    private Message previous = new Message();
    private CallQueue calls = new CallQueue();

    /** A message's place in the stream, and how it travels. */
    private static final class Message {
        private long start;
        private long end;
        private int root;
        private int algorithm;

        boolean has(long sequence) {
            return sequence >= start && sequence < end;
        }
    }

    /** For a rank; the disseminations are in the order of their codes. */
    StreamPaths(List<Dissemination> disseminations, int rank, int size) {
        this.rank = rank;
        this.size = size;
        ways = disseminations.toArray(Dissemination[]::new);
        parts = new int[ways.length];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = ways[i].parts(size);
        }
    }

    /** Sets the calls of this rank, which name the algorithms of messages to come. */
    void calls(CallQueue ofRank) {
        calls = ofRank;
    }

    /**
     * Whether a missing fragment comes by a second stage, as far as this rank knows: it has seen a
     * fragment of the message, or called it; else the messages after it and before it travel so.
     */
    boolean isBroughtAgain(long sequence) {
        if (farthest.has(sequence) || previous.has(sequence)) {
            return twice(farthest.has(sequence) ? farthest : previous);
        }
        Call called = calls.at(sequence);
        return called == null
                ? twice(farthest) || twice(previous)
                : ways[called.algorithm].sendsTwice();
    }

    /**
     * A message is the farthest of the stream.
     *
     * @param start the sequence of its first fragment
     * @param fragments how many it has
     */
    void note(long start, long fragments, int root, int algorithm) {
        if (start != farthest.start) {
            Message reused = previous;
            previous = farthest;
            farthest = reused;
        }
        farthest.start = start;
        farthest.end = start + fragments;
        farthest.root = root;
        farthest.algorithm = algorithm;
    }

    /** The root of the farthest message. */
    int root() {
        return farthest.root;
    }

    /** How the farthest message travels. */
    Dissemination way() {
        return ways[farthest.algorithm];
    }

    /** How many parts with paths of their own the farthest message has. */
    int parts() {
        return (int)
                Math.min(parts[farthest.algorithm], Math.max(1, farthest.end - farthest.start));
    }

    /** The rank that the algorithm names for repairs of a fragment of the farthest message. */
    int source(long sequence) {
        return source(farthest, sequence);
    }

    private int source(Message message, long sequence) {
        int part = Math.floorMod(sequence - message.start, parts[message.algorithm]);
        return ways[message.algorithm].repairSource(part, rank, message.root, size);
    }

    /**
     * The rank that hands a fragment on to this one when it may come by another path than the
     * farthest fragment seen; else {@link #IN_ORDER} or {@link #UNKNOWN}.
     */
    int from(long sequence) {
        boolean multicast = inOrder(farthest);
        boolean onePath = multicast || (parts[farthest.algorithm] == 1 && !twice(farthest));
        if (sequence >= farthest.start) {
            return onePath ? IN_ORDER : known(farthest, sequence);
        }
        boolean same = previous.root == farthest.root && previous.algorithm == farthest.algorithm;
        boolean shown = multicast && !(previous.has(sequence) && twice(previous));
        return shown || (onePath && same) ? IN_ORDER : known(previous, sequence);
    }

    /** Whether a gap in what the root multicasts shows a loss that nothing but asking mends. */
    private boolean inOrder(Message message) {
        return ways[message.algorithm].multicasts() && !twice(message);
    }

    private boolean twice(Message message) {
        return ways[message.algorithm].sendsTwice();
    }

    private int known(Message message, long sequence) {
        if (!message.has(sequence) || message.root == rank) {
            return UNKNOWN;
        }
        return inOrder(message) ? IN_ORDER : source(message, sequence);
    }

    /** Where the message before the farthest one begins, if that begins at the given place. */
    long startBefore(long start) {
        return start == farthest.start ? previous.start : start;
    }

    /**
     * The last fragment of a part in the message before the farthest one, when it came by the same
     * path; else a place before all fragments.
     */
    long tailOfPart(long start, int part) {
        boolean samePath =
                start == farthest.start
                        && previous.root == farthest.root
                        && previous.algorithm == farthest.algorithm;
        long last = previous.end - 1;
        return samePath
                ? last - Math.floorMod(last - previous.start - part, parts[farthest.algorithm])
                : Long.MIN_VALUE;
    }

    /** Whether this rank may hand a fragment on to another, as far as it knows. */
    boolean leadsTo(int client, long sequence) {
        return !farthest.has(sequence) || handsOnTo(client, sequence);
    }

    /** Whether this rank hands a fragment of the farthest message on to another. */
    boolean handsOnTo(int client, long sequence) {
        Message message = farthest;
        if (!message.has(sequence)) {
            return false;
        }
        Dissemination way = ways[message.algorithm];
        int part = (int) ((sequence - message.start) % parts[message.algorithm]);
        int child;
        for (int i = 0; (child = way.child(i, part, rank, message.root, size)) >= 0; i++) {
            if (child == client) {
                return true;
            }
        }
        return false;
    }

    /** One past the last fragment of the farthest message. */
    long end() {
        return farthest.end;
    }

    /** When a fragment whose gap was noticed now is due if there is no other sign of its loss. */
    long dueNs(long nowNs, int from) {
        return switch (from) {
            case IN_ORDER -> nowNs + LossTracker.REORDER_GRACE_NS;
            case UNKNOWN -> nowNs + UNKNOWN_GRACE_NS + size * UNKNOWN_GRACE_PER_RANK_NS;
            default -> ProtocolEngine.NO_DEADLINE;
        };
    }
}

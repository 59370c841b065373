package org.madcast.client.protocol;

/**
 * How fast a root sends when datagrams are lost: additive increase and multiplicative decrease on
 * the loss of the worst receiver, with two differences from TCP's, because a loss on Ethernet need
 * not mean that the rate was too high.
 *
 * <ul>
 *   <li>While there is little loss, at most {@link #LARGE}, the stream leaves a little room on the
 *       link, {@link #ROOM} of it. Otherwise repairs would queue behind the stream: the queue in a
 *       root's own kernel alone lasts 15 ms at 100 Mbit/s.
 *   <li>When much is lost, from that room on in two steps in a row, lest a burst counts, the rate
 *       becomes what the worst receiver got. If that does not lessen its loss, the rate was not
 *       what caused it, and the old one is taken back until the loss has become small. Who would
 *       rather leave the slowest behind switches this off.
 * </ul>
 *
 * <p>Without loss nothing holds the stream back but the socket, and {@link LinkMeter} sees what the
 * link carries; with loss it is let free again to see that: after {@link #FIRST_HELD} steps, since
 * what a busy machine has shown once may be too low, and when the link is seen to be the same,
 * after {@link #STEPS_HELD}. What is repaired after such a look waits for the queue that it leaves;
 * where the root may fill that queue anyway, to catch up, it looks after twice as many steps each
 * time. A step lasts until the effect of the one before can have been seen, in datagrams; at a
 * lower rate these are fewer, since the reports of loss come at times of their own.
 *
 * <p>Worked example, link of 100 Mbit/s and a receiver behind a port of 10: it loses 0.88 of a
 * step, so the root goes on with 12 Mbit/s; the receiver then loses 0.17, which is little, and the
 * rate rises by 1.5 Mbit/s a step until more than {@link #LARGE} is lost again.
 */
final class RateControl {

    /** The share of what was sent from which on a loss may be the rate's doing. */
    static final double LARGE = 0.2;

    /** What is left free on the link for repairs. */
    static final double ROOM = 0.02;

    static final int FIRST_HELD = 8;
    static final int STEPS_HELD = 256;
    static final int STEP_DATAGRAMS = 512;
    private static final int SHORTEST_STEP = 32;

    private static final double RISE = 1.0 / 64;
    private static final double SLOWEST = 1.0 / 64;

    /** A cut to what arrives leaves hardly any loss if the rate was the cause; not even half. */
    private static final double HELPED = 0.5;

    private static final int QUIET_STEPS = 4;

    /** A link that is seen to differ by no more is the same. */
    private static final double SAME = 0.05;

    private final LinkMeter link = new LinkMeter();
    private final long stepDatagrams;
    private final boolean followsSlowest;
    private final boolean catchesUp;
    private double bytesPerNs;
    private double knownLink;
    private double beforeCut;
    private double lossBeforeCut;
    private boolean inVain;
    private boolean muchLost;
    private long sentInStep;
    private int stepsToHold = FIRST_HELD;
    private int stepsHeld;
    private int quietSteps;

    RateControl(int windowFragments, RateLimits limits) {
        followsSlowest = limits.followsSlowest();
        catchesUp = limits.catchUpNs() > 0;
        stepDatagrams = Math.max(STEP_DATAGRAMS, windowFragments / 4);
    }

    /** How fast to send, in bytes on the wire per nanosecond; 0: nothing is to be held back. */
    double bytesPerNs() {
        return bytesPerNs;
    }

    /** Whether that is what the link carries, less the room for repairs. */
    boolean leavesRoom() {
        return bytesPerNs > 0 && bytesPerNs == mostBytesPerNs();
    }

    private double mostBytesPerNs() {
        return (1 - ROOM) * knownLink;
    }

    /** A datagram of the stream was handed out. */
    void onSent(long wireBytes) {
        sentInStep++;
        link.onSent(wireBytes);
    }

    /** Whether something was handed out since {@link #onQueue}. */
    boolean wantsQueue() {
        return link.wantsQueue();
    }

    /** So much of it is still in the kernel. */
    void onQueue(long nowNs, long queuedBytes) {
        link.onQueue(nowNs, queuedBytes);
    }

    /**
     * What the worst receiver lost lately.
     *
     * @param loss as a share of what was sent, 0 to 1
     * @param byGroup whether multicast carries the stream; where ranks hand it on, each of them
     *     waits for its own link
     */
    void onWorstLoss(double loss, boolean byGroup) {
        if (!byGroup) {
            bytesPerNs = 0;
            return;
        }
        if (sentInStep < datagramsOfStep()) {
            return;
        }
        sentInStep = 0;
        quietSteps = loss > 0 ? 0 : quietSteps + 1;
        boolean free = bytesPerNs == 0;
        if (free && (loss == 0 || !link.takeFresh())) {
            return;
        }
        if (free) {
            learn(link.bytesPerNs());
        }
        if (quietSteps >= QUIET_STEPS) {
            bytesPerNs = 0;
        } else if (loss > LARGE && followsSlowest && (muchLost || !leavesRoom())) {
            cut(loss);
        } else {
            rise(free);
        }
        muchLost = loss > LARGE;
    }

    /** A step at a lower rate than the link's has fewer, so that it takes no longer. */
    private long datagramsOfStep() {
        double share = bytesPerNs == 0 ? 1 : bytesPerNs / mostBytesPerNs();
        return Math.max(SHORTEST_STEP, (long) (share * stepDatagrams));
    }

    private void learn(double seen) {
        boolean same = Math.abs(seen - knownLink) <= SAME * knownLink;
        int longer = catchesUp ? Math.min(2 * stepsToHold, STEPS_HELD) : STEPS_HELD;
        stepsToHold = same ? longer : FIRST_HELD;
        knownLink = seen;
    }

    private void rise(boolean fromFree) {
        inVain = false;
        beforeCut = 0;
        double most = mostBytesPerNs();
        if (fromFree) {
            stepsHeld = 0;
            bytesPerNs = most;
        } else if (bytesPerNs != most) {
            bytesPerNs = Math.min(most, bytesPerNs + RISE * most);
        } else if (++stepsHeld >= stepsToHold) {
            bytesPerNs = 0;
        }
    }

    private void cut(double loss) {
        if (inVain) {
            return;
        }
        if (beforeCut > 0 && loss > HELPED * lossBeforeCut) {
            inVain = true;
            bytesPerNs = beforeCut;
            return;
        }
        beforeCut = bytesPerNs == 0 ? knownLink : bytesPerNs;
        lossBeforeCut = loss;
        bytesPerNs = Math.max(SLOWEST * knownLink, (1 - loss) * beforeCut);
    }
}

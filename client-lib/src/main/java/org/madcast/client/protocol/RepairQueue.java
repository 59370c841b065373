package org.madcast.client.protocol;

import java.util.Arrays;

/**
 * Answers requests for repairs. What is in the ring is queued; what is not is remembered for its
 * asker (pended) and queued when it arrives. On the root a repair lingers for a moment: when a
 * second rank asks for the same fragment meanwhile or shortly after, one multicast serves both. A
 * repair that just went to an asker, or to all, is not sent again within {@link #HOLD_OFF_NS}.
 *
 * <p>Worked example, 5 ranks, root 0 loses fragment 7 on its own uplink: ranks 1 to 4 ask ranks 0
 * to 3. Ranks 1, 2 and 3 pend. Rank 1 sees that rank 2 misses the same as it does and says so to
 * the root, which multicasts fragment 7; the pended requests of those whom the multicast served are
 * answered once more by unicast only if they ask again.
 */
final class RepairQueue {

    static final long LINGER_NS = 300_000;
    static final long HOLD_OFF_NS = 2_000_000;

    /** A multicast repair may wait for milliseconds in the root's kernel behind the stream. */
    static final long GROUP_HOLD_OFF_NS = 10_000_000;

    private static final long HEARD_HOLD_OFF_NS = 1_000_000;

    /** A rank that still asks after this many multicast repairs does not hear the group. */
    private static final int GROUP_REPAIRS = 2;

    private static final int NOBODY = -2;

    private final FragmentRing ring;
    private final int[] queuedFor;
    private final int[] pendedFor;
    private final long[] repairedSequence;
    private final long[] repairedNs;
    private final int[] repairedFor;
    private final int[] groupRepairs;
    private final long[] queue;
    private final long[] queueDueNs;
    private long head;
    private long tail;

    RepairQueue(FragmentRing ring) {
        this.ring = ring;
        int capacity = ring.capacity();
        queuedFor = new int[capacity];
        pendedFor = new int[capacity];
        repairedSequence = new long[capacity];
        repairedNs = new long[capacity];
        repairedFor = new int[capacity];
        groupRepairs = new int[capacity];
        queue = new long[capacity];
        queueDueNs = new long[capacity];
        Arrays.fill(queuedFor, NOBODY);
        Arrays.fill(pendedFor, NOBODY);
        Arrays.fill(repairedSequence, -1);
    }

    /**
     * A rank asks for a fragment that is in the ring.
     *
     * @param lingerNs how long to wait for others to ask for the same; 0 on ranks but the root
     * @param groupMayServe whether several askers may be served by one multicast
     */
    void request(long nowNs, long sequence, int asker, long lingerNs, boolean groupMayServe) {
        int slot = ring.slot(sequence);
        boolean again = repairedSequence[slot] == sequence;
        boolean groupWorks = groupMayServe && !(again && groupRepairs[slot] >= GROUP_REPAIRS);
        if (asker == TransmitSlot.GROUP && !groupWorks) {
            return;
        }
        if (queuedFor[slot] != NOBODY) {
            if (queuedFor[slot] != asker && groupWorks) {
                queuedFor[slot] = TransmitSlot.GROUP;
            }
            return;
        }
        int target = asker;
        boolean byGroup = repairedFor[slot] == TransmitSlot.GROUP;
        long holdOffNs = byGroup ? GROUP_HOLD_OFF_NS : HOLD_OFF_NS;
        if (again && nowNs - repairedNs[slot] < holdOffNs) {
            boolean served = byGroup || repairedFor[slot] == asker;
            if (served) {
                return;
            }
            target = groupWorks ? TransmitSlot.GROUP : asker;
        }
        queuedFor[slot] = target;
        int tailSlot = (int) (tail % queue.length);
        queue[tailSlot] = sequence;
        queueDueNs[tailSlot] = nowNs + lingerNs;
        tail++;
    }

    /** A rank asks for a fragment that this rank misses itself. */
    void pend(long sequence, int asker) {
        pendedFor[ring.slot(sequence)] = asker;
    }

    /** A fragment came into the ring: ranks that wait for it are served now. */
    void onArrival(long nowNs, long sequence, boolean byGroup) {
        int slot = ring.slot(sequence);
        int asker = pendedFor[slot];
        pendedFor[slot] = NOBODY;
        if (byGroup) {
            // Who asks within the next moment asked before it got the same.
            repairedSequence[slot] = sequence;
            repairedFor[slot] = TransmitSlot.GROUP;
            repairedNs[slot] = nowNs - GROUP_HOLD_OFF_NS + HEARD_HOLD_OFF_NS;
        } else if (asker != NOBODY) {
            request(nowNs, sequence, asker, 0, false);
        }
    }

    /** The slot got a new fragment: nothing that concerned the old one holds any more. */
    void forgetSlot(long sequence) {
        pendedFor[ring.slot(sequence)] = NOBODY;
    }

    long nextDueNs() {
        return head == tail ? ProtocolEngine.NO_DEADLINE : queueDueNs[(int) (head % queue.length)];
    }

    /** When the next repair leaves its linger, if that is still to come. */
    long dueAfter(long nowNs) {
        long dueNs = nextDueNs();
        return dueNs > nowNs ? dueNs : ProtocolEngine.NO_DEADLINE;
    }

    /** The next fragment to send again, its destination in the slot; -1 when none is due. */
    long poll(long nowNs, TransmitSlot out) {
        while (head != tail && nextDueNs() <= nowNs) {
            long sequence = queue[(int) (head++ % queue.length)];
            int slot = ring.slot(sequence);
            int target = queuedFor[slot];
            queuedFor[slot] = NOBODY;
            if (ring.has(sequence)) {
                int before = repairedSequence[slot] == sequence ? groupRepairs[slot] : 0;
                groupRepairs[slot] = before + (target == TransmitSlot.GROUP ? 1 : 0);
                repairedSequence[slot] = sequence;
                repairedNs[slot] = nowNs;
                repairedFor[slot] = target;
                out.destination(target);
                return sequence;
            }
        }
        return -1;
    }
}

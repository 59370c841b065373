package org.madcast.client.protocol;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.madcast.client.wire.DatagramLayout;
import org.madcast.client.wire.DatagramType;
import org.madcast.client.wire.SequenceNumbers;

/**
 * The talk about lost fragments: asks for this rank's own, takes the requests of others to the
 * {@link RepairQueue}, and tells those who ask here how far this rank has come.
 *
 * <p>The first request goes to the rank that the algorithm names (over multicast the predecessor in
 * the ring of receivers), later ones also to the predecessor's predecessor and to one that surely
 * holds what is missing: the root of the farthest fragment seen, or a rank that announced to hold
 * more. Loss on the root's own uplink hits everybody; the rank behind the root notices it, because
 * its successor asks for what it misses itself, and says so to the root (a request marked
 * <em>shared</em>), which repairs by one multicast.
 */
final class RepairExchange {

    private static final long LARGE_MESSAGE_BYTES = 64 * 1024;
    private static final long HAVE_DELAY_NS = 1_000_000;
    private static final long HAVE_REPEAT_NS = 10_000_000;
    private static final int HAVE_REPEATS = 4;
    private static final int SHARED = 1;

    private final EngineConfig config;
    private final FragmentRing ring;
    private final LossTracker loss;
    private final StreamPaths paths;
    private final RepairQueue desk;
    private final ForwardQueue forwards;
    private final ControlQueue control;
    private final RangeList ranges = new RangeList(ControlQueue.MAX_RANGES);
    private long requestsSent;
    private int holder;
    private final boolean[] told;
    private int haveRepeats;
    private long haveDueNs = ProtocolEngine.NO_DEADLINE;

    /** What the next HAVE tells, and what must have been handed on before. */
    private long haveSequence;

    private long haveAfter;
    private boolean haveAgain;

    RepairExchange(
            EngineConfig config,
            FragmentRing ring,
            LossTracker loss,
            StreamPaths paths,
            RepairQueue desk,
            ForwardQueue forwards,
            ControlQueue control) {
        this.config = config;
        this.ring = ring;
        this.loss = loss;
        this.paths = paths;
        this.told = new boolean[config.size()];
        this.holder = config.rank() == 0 ? config.size() - 1 : 0;
        this.desk = desk;
        this.forwards = forwards;
        this.control = control;
    }

    long requestsSent() {
        return requestsSent;
    }

    /** The rank that is said to hold what is missing. */
    int holder() {
        return holder;
    }

    /**
     * A fragment was seen or made, or a message was called: the farthest one shows the root and how
     * it sends.
     *
     * @param sequence the fragment's place in the stream
     * @param number its number in its message
     * @param fragments how many the message has
     */
    void noteStream(long sequence, long number, long fragments, int root, int algorithm) {
        if (sequence >= loss.highest()) {
            paths.note(sequence - number, fragments, root, algorithm);
            holder = root == config.rank() ? holder : root;
        }
    }

    /**
     * A rank holds everything below the sequence. Where fragments are handed on by unicast, only
     * the rank that hands them on to this one shows that they must have come.
     */
    void onHave(long nowNs, int sender, long sequence) {
        boolean parts = paths.parts() > 1;
        if (!parts && !paths.way().multicasts() && sender != source()) {
            return;
        }
        if (sequence > loss.highest()) {
            holder = sender;
        }
        loss.onKnownSent(nowNs, sender, sequence, !parts);
    }

    /** The rank to ask first for the first missing fragment, or for the next one. */
    int source() {
        return source(loss.contiguous());
    }

    private int source(long sequence) {
        int from = sequence < loss.highest() ? loss.from(sequence) : StreamPaths.UNKNOWN;
        if (from >= 0) {
            return from;
        }
        int source = paths.root() == config.rank() ? holder : paths.source(sequence);
        return source == config.rank() ? holder : source;
    }

    /**
     * The next rank to ask: over multicast two other receivers, then one that surely has it. Where
     * fragments are handed on, the rank before has most often asked for the same one, and to ask
     * the root beside it would fill the root's link.
     */
    private int target(int attempts, long sequence) {
        int source = source(sequence);
        boolean ofRing = paths.way().multicasts() && !paths.way().sendsTwice();
        if (!ofRing || paths.root() == config.rank()) {
            return (attempts & 3) == 3 ? holder : source;
        }
        int second = paths.way().repairSource(0, source, paths.root(), config.size());
        return switch (attempts % 3) {
            case 0 -> source;
            case 1 -> second == config.rank() || second == source ? holder : second;
            default -> holder;
        };
    }

    /**
     * This rank has a whole message. It tells so when it has handed on what it holds now, without
     * delay when the message was a large one.
     */
    void offer(long nowNs, long messageBytes) {
        long delayNs = messageBytes >= LARGE_MESSAGE_BYTES ? 0 : HAVE_DELAY_NS;
        haveAgain = haveDueNs != ProtocolEngine.NO_DEADLINE && haveRepeats == 0;
        haveRepeats = 0;
        if (!haveAgain) {
            haveSequence = loss.held();
            haveAfter = forwards.end();
        }
        haveDueNs = Math.min(haveDueNs, nowNs + delayNs);
    }

    /**
     * A fragment of a part came that this rank hands on. When no more come for a moment it tells
     * how far it has come, since the other parts may take longer.
     */
    void onPart(long nowNs) {
        haveAgain = false;
        haveRepeats = 0;
        haveSequence = loss.held();
        haveAfter = forwards.end();
        haveDueNs = nowNs + HAVE_DELAY_NS;
    }

    long nextDueNs() {
        boolean mayTell = forwards.hasPassed(haveAfter);
        return Math.min(loss.nextDueNs(), mayTell ? haveDueNs : ProtocolEngine.NO_DEADLINE);
    }

    void onTimeout(long nowNs, long watermark, boolean groupWorks) {
        if (nowNs >= loss.nextDueNs()) {
            ranges.clear();
            int attempts = loss.collectDue(nowNs, ranges);
            if (attempts >= 0) {
                sendRequest(target(attempts, ranges.first(0)), 0);
            }
        }
        if (nowNs >= haveDueNs && forwards.hasPassed(haveAfter)) {
            sendHave(nowNs, watermark, groupWorks);
        }
    }

    void onRequest(long nowNs, MemorySegment request, int sender, boolean groupWorks) {
        int given = (int) (request.byteSize() - DatagramLayout.HEADER_BYTES) / 8;
        int count = Math.min(given, ControlQueue.MAX_RANGES);
        boolean shared = groupWorks && DatagramLayout.fragment(request) == SHARED;
        int asker = shared ? TransmitSlot.GROUP : sender;
        ranges.clear();
        int left = ring.capacity(); // what an honest request can ask for in all
        for (int i = 0; i < count && left > 0; i++) {
            int wire = DatagramLayout.payloadInt(request, 2 * i);
            long first = SequenceNumbers.extend(loss.contiguous(), wire);
            int length = DatagramLayout.payloadInt(request, 2 * i + 1);
            int asked = Math.clamp(length, 0, left);
            long end = first + asked;
            left -= asked;
            for (long sequence = first; sequence < end; sequence++) {
                answer(nowNs, sequence, asker, groupWorks);
            }
        }
        boolean behindRoot =
                paths.way().multicasts()
                        && !paths.way().sendsTwice()
                        && (paths.root() + 1) % config.size() == config.rank()
                        && paths.root() == holder;
        if (ranges.size() > 0 && groupWorks && behindRoot) {
            sendRequest(paths.root(), SHARED);
        }
    }

    private void answer(long nowNs, long sequence, int asker, boolean groupWorks) {
        if (ring.isVoid(sequence)) {
            return;
        }
        if (ring.has(sequence)) {
            boolean root = DatagramLayout.root(ring.get(sequence)) == config.rank();
            boolean merge = root && groupWorks && config.size() > 2;
            desk.request(nowNs, sequence, asker, merge ? RepairQueue.LINGER_NS : 0, merge);
        } else if (sequence >= loss.contiguous()
                && sequence < loss.contiguous() + ring.capacity()
                && asker != TransmitSlot.GROUP) {
            if (!paths.handsOnTo(asker, sequence)) { // else it gets it as soon as this rank does
                desk.pend(sequence, asker);
            }
            if (loss.isMissing(sequence)) {
                ranges.add(sequence);
            }
        }
    }

    private void sendRequest(int destination, int flag) {
        if (destination == config.rank()) {
            return;
        }
        int payload = 2 * ranges.size();
        MemorySegment out = control.add(DatagramType.REPAIR_REQUEST, destination, 0, payload);
        DatagramLayout.putFragment(out, flag);
        for (int i = 0; i < ranges.size(); i++) {
            DatagramLayout.putPayloadInt(out, 2 * i, (int) ranges.first(i));
            DatagramLayout.putPayloadInt(out, 2 * i + 1, ranges.count(i));
        }
        requestsSent++;
    }

    /**
     * Up to where this rank holds everything that a rank which holds everything below the sequence
     * misses, and has nothing of it left to hand on.
     */
    long heldFor(long sequence) {
        long end = loss.held();
        if (end <= sequence && loss.contiguous() <= sequence) {
            end = sequence;
            while (end < loss.highest() && ring.has(end) && !ring.isVoid(end)) {
                end++;
            }
        }
        return forwards.least(end);
    }

    /**
     * Over multicast the root tells all ranks; where fragments are handed on by unicast each rank
     * tells those to which it does; once more from time to time until all have consumed it. Where a
     * second stage brings everything no rank needs to be told.
     */
    private void sendHave(long nowNs, long watermark, boolean groupWorks) {
        haveDueNs = ProtocolEngine.NO_DEADLINE;
        boolean toGroup = paths.way().multicasts() && groupWorks;
        if (paths.way().sendsTwice() || (toGroup && paths.root() != config.rank())) {
            return;
        }
        if (watermark < Math.max(haveSequence, loss.highest())) {
            if (toGroup) {
                control.add(DatagramType.HAVE, TransmitSlot.GROUP, haveSequence, 0);
            } else {
                tellClients();
            }
            haveDueNs = nextHaveNs(nowNs);
        }
    }

    private void tellClients() {
        Arrays.fill(told, false);
        for (int part = 0; part < paths.parts(); part++) {
            int client;
            for (int i = 0; (client = client(i, part)) != Dissemination.NONE; i++) {
                if (!told[client]) {
                    told[client] = true;
                    control.add(DatagramType.HAVE, client, handedOnTo(client), 0);
                }
            }
        }
    }

    /**
     * Up to where a rank has been given all that this one hands on to it; where a message is dealt
     * into parts, that may be more than this rank holds without a gap.
     */
    private long handedOnTo(int client) {
        if (paths.parts() == 1) {
            return haveSequence;
        }
        long end = Math.min(loss.highest(), paths.end());
        for (long s = loss.contiguous(); s < end; s++) {
            if (!ring.has(s) && paths.leadsTo(client, s)) {
                return s;
            }
        }
        return Math.max(end, haveSequence);
    }

    private int client(int index, int part) {
        return paths.way().repairClient(index, part, config.rank(), paths.root(), config.size());
    }

    private long nextHaveNs(long nowNs) {
        if (haveAgain) {
            haveAgain = false;
            haveSequence = loss.held();
            haveAfter = forwards.end();
            return nowNs + HAVE_DELAY_NS;
        }
        return haveRepeats < HAVE_REPEATS
                ? nowNs + (HAVE_REPEAT_NS << haveRepeats++)
                : ProtocolEngine.NO_DEADLINE;
    }
}

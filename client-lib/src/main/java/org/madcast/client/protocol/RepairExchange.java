package org.madcast.client.protocol;

import java.lang.foreign.MemorySegment;
import org.madcast.client.wire.DatagramLayout;
import org.madcast.client.wire.DatagramType;
import org.madcast.client.wire.SequenceNumbers;

/**
 * The talk about lost fragments: asks for this rank's own, takes the requests of others to the
 * {@link RepairQueue}, and tells those who ask here how far this rank has come.
 *
 * <p>The first request goes to the rank that the algorithm names (over multicast the predecessor in
 * the ring of receivers), later ones also to the predecessor's predecessor and to one that surely
 * holds what is missing: the root of the farthest fragment seen, or whoever said to hold more. Loss
 * on the root's own uplink hits everybody; the rank behind the root notices it, because its
 * successor asks for what it misses itself, and says so to the root (a request marked
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
    private final RepairQueue desk;
    private final ForwardQueue forwards;
    private final ControlQueue control;
    private final RangeList ranges = new RangeList(ControlQueue.MAX_RANGES);
    private long requestsSent;
    private int streamRoot;
    private int streamAlgorithm;
    private int holder;
    private int haveRepeats;
    private long haveDueNs = ProtocolEngine.NO_DEADLINE;

    RepairExchange(
            EngineConfig config,
            FragmentRing ring,
            LossTracker loss,
            RepairQueue desk,
            ForwardQueue forwards,
            ControlQueue control) {
        this.config = config;
        this.ring = ring;
        this.loss = loss;
        this.desk = desk;
        this.forwards = forwards;
        this.control = control;
    }

    long requestsSent() {
        return requestsSent;
    }

    /** A fragment was seen or made: the farthest one says who the root is and how it sends. */
    void noteStream(long sequence, int root, int algorithm) {
        if (sequence >= loss.highest()) {
            streamRoot = root;
            streamAlgorithm = algorithm;
            holder = root;
        }
    }

    /** The caller says who the root of the next message is, before anything of it was seen. */
    void noteCall(long consumed, int root, int algorithm) {
        if (consumed == loss.highest()) {
            streamRoot = root;
            streamAlgorithm = algorithm;
            holder = root;
        }
    }

    /**
     * A rank says that it holds everything below the sequence. Where fragments are handed on by
     * unicast, only the rank that hands them on to this one can say what must have come; where the
     * parts of a message come on several ways, so can the root, which says it only when asked.
     */
    void onHave(long nowNs, int sender, long sequence) {
        boolean counts =
                way().multicasts()
                        || sender == source()
                        || (sender == streamRoot && way().parts(config.size()) > 1);
        if (counts && sequence > loss.highest()) {
            holder = sender;
            loss.onKnownSent(nowNs, sequence, way().parts(config.size()));
        }
    }

    /** The rank to ask first; asked again, it is the one that surely holds what is missing. */
    int source() {
        int source =
                streamRoot == config.rank()
                        ? holder
                        : way().repairSource(config.rank(), streamRoot, config.size());
        return source == config.rank() ? holder : source;
    }

    /** Whom to ask the next time: over multicast two other receivers, then who surely has it. */
    private int target(int attempts) {
        int source = source();
        if (!way().multicasts() || streamRoot == config.rank()) {
            return (attempts & 1) == 1 ? holder : source;
        }
        int second = way().repairSource(source, streamRoot, config.size());
        return switch (attempts % 3) {
            case 0 -> source;
            case 1 -> second == config.rank() || second == source ? holder : second;
            default -> holder;
        };
    }

    /** This rank has a whole message: say so, at once when it was a large one. */
    void offer(long nowNs, long messageBytes) {
        long delayNs = messageBytes >= LARGE_MESSAGE_BYTES ? 0 : HAVE_DELAY_NS;
        haveRepeats = 0;
        haveDueNs = Math.min(haveDueNs, nowNs + delayNs);
    }

    long nextDueNs() {
        return Math.min(
                loss.nextDueNs(), forwards.isEmpty() ? haveDueNs : ProtocolEngine.NO_DEADLINE);
    }

    void onTimeout(long nowNs, long watermark, boolean groupWorks) {
        if (nowNs >= loss.nextDueNs()) {
            ranges.clear();
            int attempts = loss.collectDue(nowNs, ranges);
            if (attempts >= 0) {
                sendRequest(target(attempts), 0);
            }
        }
        if (nowNs >= haveDueNs && forwards.isEmpty()) {
            sendHave(nowNs, watermark, groupWorks);
        }
    }

    void onRequest(long nowNs, MemorySegment request, int sender, boolean groupWorks) {
        int given = (int) (request.byteSize() - DatagramLayout.HEADER_BYTES) / 8;
        int count = Math.min(given, ControlQueue.MAX_RANGES);
        boolean shared = groupWorks && DatagramLayout.fragment(request) == SHARED;
        int asker = shared ? TransmitSlot.GROUP : sender;
        ranges.clear();
        for (int i = 0; i < count; i++) {
            int wire = DatagramLayout.payloadInt(request, 2 * i);
            long first = SequenceNumbers.extend(loss.contiguous(), wire);
            int length = DatagramLayout.payloadInt(request, 2 * i + 1);
            long end = first + Math.clamp(length, 0, ring.capacity());
            for (long sequence = first; sequence < end; sequence++) {
                answer(nowNs, sequence, asker, groupWorks);
            }
        }
        boolean behindRoot =
                way().multicasts()
                        && (streamRoot + 1) % config.size() == config.rank()
                        && streamRoot == holder;
        if (ranges.size() > 0 && groupWorks && behindRoot) {
            sendRequest(streamRoot, SHARED);
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
            desk.pend(sequence, asker);
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
     * Over multicast the root tells all, once more from time to time until all have consumed; where
     * fragments are handed on by unicast, each rank tells those who ask it.
     */
    private void sendHave(long nowNs, long watermark, boolean groupWorks) {
        haveDueNs = ProtocolEngine.NO_DEADLINE;
        if (way().multicasts() && groupWorks) {
            if (streamRoot == config.rank() && watermark < loss.held()) {
                control.add(DatagramType.HAVE, TransmitSlot.GROUP, loss.held(), 0);
                haveDueNs = nextHaveNs(nowNs);
            }
            return;
        }
        for (int i = 0; ; i++) {
            int client = way().repairClient(i, config.rank(), streamRoot, config.size());
            if (client == Dissemination.NONE) {
                return;
            }
            control.add(DatagramType.HAVE, client, loss.held(), 0);
        }
    }

    private long nextHaveNs(long nowNs) {
        return haveRepeats < HAVE_REPEATS
                ? nowNs + (HAVE_REPEAT_NS << haveRepeats++)
                : ProtocolEngine.NO_DEADLINE;
    }

    private Dissemination way() {
        return config.disseminations().get(streamAlgorithm);
    }
}

package org.madcast.client.protocol;

import java.lang.foreign.MemorySegment;
import org.madcast.client.wire.Checksum;
import org.madcast.client.wire.DatagramLayout;
import org.madcast.client.wire.DatagramType;

/**
 * What this rank sends next: control datagrams at once; then, as fast as the {@link Pacer} allows,
 * repairs, the root's own fragments, and what is handed on.
 */
final class Outbox {

    private final int rank;
    private final ControlQueue control;
    private final FragmentRing ring;
    private final RepairQueue desk;
    private final ForwardQueue forwards;
    private final SecondStage secondStage;
    private final CallRunner calls;
    private final Pacer pacer;
    private final Checksum checksum;
    private final EngineCounters counters;

    Outbox(BroadcastEngine engine) {
        rank = engine.config.rank();
        checksum = new Checksum(engine.config.checksums());
        ring = engine.ring;
        desk = engine.desk;
        forwards = engine.forwards;
        secondStage = engine.secondStage;
        counters = engine.counters;
        control = engine.control;
        calls = engine.calls;
        pacer = engine.pacer;
    }

    /** The next datagram, its length the result, 0 when there is none to be sent now. */
    int poll(long nowNs, MemorySegment out, TransmitSlot slot) {
        int bytes = control.poll(out, slot);
        if (bytes == 0 && !hasFragment(nowNs)) {
            pacer.rest();
        } else if (bytes == 0 && pacer.allows(nowNs)) {
            bytes = pollFragment(nowNs, out, slot);
            if (bytes > 0) {
                pacer.onSent(nowNs, bytes);
            }
        }
        if (bytes == 0) {
            // The next call of this rank may have something to send at once.
            return calls.finishRoot(nowNs) ? poll(nowNs, out, slot) : 0;
        }
        counters.datagramsSent++;
        counters.multicastSent += slot.destination() == TransmitSlot.GROUP ? 1 : 0;
        return bytes;
    }

    /** The same of what goes by the reliable way. */
    int pollReliable(long nowNs, MemorySegment out, TransmitSlot slot) {
        long sequence = secondStage.isEmpty() || !pacer.allows(nowNs) ? -1 : secondStage.poll(slot);
        if (sequence < 0) {
            return 0;
        }
        calls.onHandedOn(nowNs);
        int bytes = copyOut(sequence, out, DatagramType.DATA);
        pacer.onHandedOn(nowNs, bytes);
        counters.datagramsSent++;
        return bytes;
    }

    private boolean hasFragment(long nowNs) {
        return desk.dueAfter(nowNs) != desk.nextDueNs()
                || !forwards.isEmpty()
                || !secondStage.isEmpty()
                || calls.mayProduce(nowNs);
    }

    private int pollFragment(long nowNs, MemorySegment out, TransmitSlot slot) {
        long sequence = desk.poll(nowNs, slot);
        if (sequence >= 0) {
            counters.repairsSent++;
            boolean toGroup = slot.destination() == TransmitSlot.GROUP;
            return copyOut(
                    sequence, out, toGroup ? DatagramType.GROUP_REPAIR : DatagramType.REPAIR);
        }
        int bytes;
        do {
            bytes = calls.produce(nowNs, out, slot);
        } while (bytes == 0 && forwards.awaitsMore() && calls.mayProduce(nowNs));
        if (bytes > 0) {
            return bytes;
        }
        sequence = forwards.poll(slot);
        return sequence < 0 ? 0 : copyOut(sequence, out, DatagramType.DATA);
    }

    private int copyOut(long sequence, MemorySegment out, DatagramType type) {
        MemorySegment stored = ring.get(sequence);
        MemorySegment copy = out.asSlice(0, stored.byteSize());
        copy.copyFrom(stored);
        DatagramLayout.restamp(copy, type, rank);
        checksum.seal(copy);
        return (int) copy.byteSize();
    }
}

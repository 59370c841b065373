package org.madcast.client.protocol;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.madcast.client.wire.Checksum;
import org.madcast.client.wire.DatagramLayout;
import org.madcast.client.wire.DatagramType;

/** A datagram as a peer would send it, or an enemy who knows the token. */
final class Forged {

    private final MemorySegment datagram;

    private Forged(DatagramType type, int sender, int payloadBytes, int algorithm) {
        datagram = MemorySegment.ofArray(new byte[DatagramLayout.HEADER_BYTES + payloadBytes]);
        DatagramLayout.start(datagram, algorithm, type, sender, Engines.TOKEN);
    }

    static Forged of(DatagramType type, int sender) {
        return new Forged(type, sender, 0, 0);
    }

    static Forged of(DatagramType type, int sender, int payloadBytes, int algorithm) {
        return new Forged(type, sender, payloadBytes, algorithm);
    }

    /** A fragment of a message that {@code root} multicasts; each payload byte is the sequence. */
    static Forged fragment(int root, long sequence, long broadcast, long fragment, int bytes) {
        int payload = (int) Math.min(64, bytes - 64 * fragment);
        Forged forged = new Forged(DatagramType.DATA, root, payload, 0);
        forged.datagram.asSlice(DatagramLayout.HEADER_BYTES).fill((byte) sequence);
        return forged.sequence(sequence).message(broadcast, root, bytes).fragment(fragment);
    }

    static Forged request(int sender, int... firstsAndCounts) {
        Forged forged =
                new Forged(DatagramType.REPAIR_REQUEST, sender, 4 * firstsAndCounts.length, 0);
        for (int i = 0; i < firstsAndCounts.length; i++) {
            DatagramLayout.putPayloadInt(forged.datagram, i, firstsAndCounts[i]);
        }
        return forged;
    }

    Forged sequence(long sequence) {
        DatagramLayout.putSequence(datagram, sequence);
        return this;
    }

    Forged message(long broadcast, int root, long bytes) {
        DatagramLayout.putMessage(datagram, broadcast, root, bytes);
        return this;
    }

    Forged fragment(long fragment) {
        DatagramLayout.putFragment(datagram, fragment);
        return this;
    }

    Forged senderOf(int rank) {
        datagram.set(
                ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(java.nio.ByteOrder.BIG_ENDIAN),
                2,
                (short) rank);
        return this;
    }

    Forged type(DatagramType type) {
        datagram.set(ValueLayout.JAVA_BYTE, 1, type.code());
        return this;
    }

    MemorySegment seal() {
        new Checksum().seal(datagram);
        return datagram;
    }
}

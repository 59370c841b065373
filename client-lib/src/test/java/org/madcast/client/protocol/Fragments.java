package org.madcast.client.protocol;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.madcast.client.Algorithm;
import org.madcast.client.wire.Datagram;
import org.madcast.client.wire.DatagramLayout;
import org.madcast.client.wire.DatagramType;

/** Rings and fragments for the tests of the machines that work on them. */
final class Fragments {

    static final int CAPACITY = 32;

    private Fragments() {}

    static FragmentRing ring() {
        return new FragmentRing(CAPACITY, Engines.DATAGRAM_BYTES, Arena.ofAuto());
    }

    /** A fragment of an algorithm's broadcast; its payload is its sequence's low byte. */
    static MemorySegment of(long sequence, int root, Algorithm algorithm) {
        byte[] bytes = new byte[Engines.DATAGRAM_BYTES];
        MemorySegment datagram = MemorySegment.ofArray(bytes);
        datagram.fill((byte) sequence);
        DatagramLayout.start(datagram, algorithm.code(), DatagramType.DATA, root, Engines.TOKEN);
        DatagramLayout.putSequence(datagram, sequence);
        DatagramLayout.putMessage(datagram, 0, root, 1_000_000);
        DatagramLayout.putFragment(datagram, sequence);
        return datagram;
    }

    /** Puts a fragment of {@code once} from rank 0 into a ring. */
    static void put(FragmentRing ring, long sequence) {
        ring.put(sequence, Datagram.of(of(sequence, 0, Algorithm.ONCE)));
    }
}

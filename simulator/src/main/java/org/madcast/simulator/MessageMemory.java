package org.madcast.simulator;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.madcast.netsim.RandomStream;

/**
 * The ranks' messages of one broadcast: what the root sends, and where the others receive. Where
 * all of theirs would be too much they share one: each writes the same bytes to the same place.
 */
final class MessageMemory {

    private static final long MOST_BYTES = 256L << 20;

    private final byte[] sent;
    private final List<byte[]> received = new ArrayList<>();
    private final int receivers;

    /** For a broadcast from rank 0, which is the only one of this number. */
    MessageMemory(int ranks, int sizeBytes, long seed, int number) {
        receivers = ranks - 1;
        sent = new byte[sizeBytes];
        RandomStream random = RandomStream.of(seed, "content " + number);
        for (int i = 0; i < sizeBytes; i++) {
            sent[i] = (byte) random.nextLong();
        }
        boolean shared = (long) receivers * sizeBytes > MOST_BYTES;
        int segments = shared ? 1 : receivers;
        for (int i = 0; i < segments; i++) {
            received.add(new byte[sizeBytes]);
        }
    }

    /** What a rank gives to its call. */
    MemorySegment of(int rank) {
        byte[] bytes = rank == 0 ? sent : received.get((rank - 1) % received.size());
        return MemorySegment.ofArray(bytes);
    }

    /** How many ranks have other bytes than the root. */
    int corrupt() {
        long wrong = received.stream().filter(bytes -> !Arrays.equals(bytes, sent)).count();
        return (int) (received.size() == receivers ? wrong : wrong * receivers);
    }
}

package org.madcast.simulator;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.madcast.client.MulticastGroup;
import org.madcast.client.lease.RandomGroups;
import org.madcast.netsim.RandomStream;

/**
 * The multicast groups of jobs that have no service to lease one from. Each draws with the code
 * that ranks draw with, from bits of its own, as every process gathers them. For one thread.
 */
public final class DrawnGroups {

    /** Addresses from 239.196.0.1 to 239.251.255.254 whose last byte is neither 0 nor 255. */
    public static final long ADDRESSES = 56L * 256 * 254;

    /** Ports from 5000 to 32767. */
    public static final long PORTS = 27_768;

    private static final int PORT_BITS = 16;

    private final RandomStream entropy;

    /** The same seed gives the same jobs. */
    public DrawnGroups(long seed) {
        entropy = RandomStream.of(seed, "groups");
    }

    /** Draws for more jobs: of each the address, and its port in the low 16 bits; ascending. */
    public long[] of(int jobs) {
        long[] drawn = new long[jobs];
        Arrays.setAll(drawn, _ -> draw());
        Arrays.sort(drawn);
        return drawn;
    }

    private long draw() {
        MulticastGroup group = RandomGroups.of(entropy.nextLong()).drawIpv4();
        long address = ByteBuffer.wrap(group.address().getAddress()).getInt();
        return address << PORT_BITS | group.port();
    }

    /** How many pairs of jobs have the same address and the same port. */
    public static long samePairs(long[] ascending) {
        return pairs(ascending, 0);
    }

    /** How many pairs of jobs have the same address, whatever their ports. */
    public static long sameAddresses(long[] ascending) {
        return pairs(ascending, PORT_BITS);
    }

    private static long pairs(long[] ascending, int without) {
        long pairs = 0;
        int first = 0;
        for (int i = 1; i < ascending.length; i++) {
            if (ascending[i] >> without != ascending[first] >> without) {
                first = i;
            }
            pairs += i - first;
        }
        return pairs;
    }
}

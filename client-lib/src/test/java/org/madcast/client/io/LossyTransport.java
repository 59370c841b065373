package org.madcast.client.io;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.madcast.client.wire.Arrival;
import org.madcast.client.wire.DatagramLayout;

/** Real sockets, of which fragments that have come are dropped; all else is let through. */
public final class LossyTransport extends CountedTransport {

    private final Random random;
    private final double loss;
    private final AtomicInteger dropped = new AtomicInteger();
    private final AtomicInteger sentToOne = new AtomicInteger();

    /**
     * Drops what the sockets bring.
     *
     * @param loss the share of fragments that are dropped
     */
    public LossyTransport(DatagramTransport sockets, double loss, long seed) {
        super(sockets);
        this.loss = loss;
        random = new Random(seed);
    }

    /** How many fragments were dropped. */
    public int dropped() {
        return dropped.get();
    }

    /** How many sends of fragments were for one rank, not for the group. */
    public int sentToOne() {
        return sentToOne.get();
    }

    private static boolean isFragment(MemorySegment datagram) {
        return datagram.byteSize() > 0 && DatagramLayout.type(datagram).carriesFragment();
    }

    @Override
    public @Nullable Arrival receive() throws IOException {
        Arrival arrival = super.receive();
        while (arrival != null
                && isFragment(arrival.datagram().segment())
                && random.nextDouble() < loss) {
            dropped.incrementAndGet();
            arrival = super.receive();
        }
        return arrival;
    }

    @Override
    public int send(MemorySegment datagrams, int datagramBytes, int destination) {
        sentToOne.addAndGet(destination >= 0 && isFragment(datagrams) ? 1 : 0);
        return super.send(datagrams, datagramBytes, destination);
    }
}

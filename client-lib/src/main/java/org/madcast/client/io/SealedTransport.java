package org.madcast.client.io;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.List;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;
import org.madcast.client.wire.Arrival;
import org.madcast.client.wire.Datagram;

/** Seals what leaves and opens what arrives; what does not open is dropped and counted. */
public final class SealedTransport implements DatagramTransport {

    /** How many bytes of a datagram the seal takes. */
    public static final int OVERHEAD_BYTES = DatagramSeal.OVERHEAD_BYTES;

    private final DatagramTransport inner;
    private final DatagramSeal seal;
    private final MemorySegment opened;
    private final Arrival openedArrival;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment batch;
    private final RefusalLimit strangers = new RefusalLimit();
    private List<InetSocketAddress> ranks = List.of();
    private long tried;
    private long refused;
    private long refusedOfGroup;

    /**
     * Seals over a transport.
     *
     * @param inner carries datagrams that are longer by {@link #OVERHEAD_BYTES}; closed with this
     * @param key the communicator's own: no other may seal with it
     * @param datagramBytes the longest datagram before it is sealed
     */
    public SealedTransport(DatagramTransport inner, SecretKey key, int rank, int datagramBytes) {
        this.inner = inner;
        seal = new DatagramSeal(key, rank, datagramBytes);
        opened = arena.allocate(datagramBytes);
        openedArrival = new Arrival(new Datagram(opened));
        int sealedBytes = datagramBytes + OVERHEAD_BYTES;
        batch = arena.allocate(Math.max(inner.batchBytes(sealedBytes), sealedBytes));
    }

    @Override
    public String name() {
        return inner.name() + ", sealed";
    }

    @Override
    public InetSocketAddress localAddress() {
        return inner.localAddress();
    }

    @Override
    public int receiveBufferBytes() {
        return inner.receiveBufferBytes();
    }

    @Override
    public void peers(List<InetSocketAddress> endpoints, int self) {
        ranks = List.copyOf(endpoints);
        inner.peers(endpoints, self);
    }

    @Override
    public void regroup(InetSocketAddress group) throws IOException {
        inner.regroup(group);
    }

    @Override
    public @Nullable Arrival receive() throws IOException {
        Arrival arrival = inner.receive();
        if (arrival == null) {
            return null;
        }
        int bytes = open(arrival.datagram());
        if (bytes < 0) {
            refused++;
            refusedOfGroup += arrival.ofGroup() ? 1 : 0;
        }
        openedArrival.datagram().lay(0, Math.max(bytes, 0));
        return openedArrival
                .ofGroup(arrival.ofGroup())
                .waitedNs(arrival.waitedNs())
                .number(seal.openedNumber());
    }

    /** Refuses without the key what cannot be a rank's; the length, or -1. */
    private int open(Datagram datagram) {
        int sender = seal.sender(datagram);
        boolean possible = sender >= 0 && (sender < ranks.size() || ranks.isEmpty());
        if (!possible || (strangers.isExhausted() && !cameFrom(sender))) {
            return -1;
        }
        tried++;
        int bytes = seal.open(datagram.segment(), opened);
        if (bytes < 0 && !cameFrom(sender)) {
            strangers.onFailed();
        }
        return bytes;
    }

    /** Whether the last datagram came from the address that this rank has registered. */
    private boolean cameFrom(int rank) {
        return rank < ranks.size() && ranks.get(rank).equals(inner.lastSender());
    }

    /** How many datagrams the key was tried on. */
    long tried() {
        return tried;
    }

    @Override
    public @Nullable InetSocketAddress lastSender() {
        return inner.lastSender();
    }

    @Override
    public long refused() {
        return refused + inner.refused();
    }

    @Override
    public long refusedOfGroup() {
        return refusedOfGroup + inner.refusedOfGroup();
    }

    @Override
    public int batchBytes(int datagramBytes) {
        int sealedBytes = datagramBytes + OVERHEAD_BYTES;
        return inner.batchBytes(sealedBytes) / sealedBytes * datagramBytes;
    }

    /**
     * A part of a batch that did not leave is sealed anew the next time: a nonce is used for what
     * was seen on the wire once at most, and for one content only.
     */
    @Override
    public int send(MemorySegment datagrams, int datagramBytes, int destination) {
        int all = (int) datagrams.byteSize();
        int sealedBytes = 0;
        for (int done = 0; done < all; done += datagramBytes) {
            int bytes = Math.min(datagramBytes, all - done);
            sealedBytes += seal.seal(datagrams.asSlice(done, bytes), batch, sealedBytes);
        }
        int eachBytes = datagramBytes + OVERHEAD_BYTES;
        int sent = inner.send(batch.asSlice(0, sealedBytes), eachBytes, destination);
        return sent >= sealedBytes ? all : sent / eachBytes * datagramBytes;
    }

    @Override
    public void await(long timeoutNs, long coalesceNs, boolean wantWrite) throws IOException {
        inner.await(timeoutNs, coalesceNs, wantWrite);
    }

    @Override
    public boolean poll() throws IOException {
        return inner.poll();
    }

    @Override
    public int queuedBytes() {
        return inner.queuedBytes();
    }

    @Override
    public TakeOver takeOver() {
        return inner.takeOver();
    }

    @Override
    public void wakeup() {
        inner.wakeup();
    }

    @Override
    public void close() {
        inner.close();
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }
}

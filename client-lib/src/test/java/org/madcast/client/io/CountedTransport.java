package org.madcast.client.io;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.madcast.client.wire.Arrival;

/** A real transport, and how often it was polled and slept on. */
class CountedTransport implements DatagramTransport {

    private final DatagramTransport inner;
    private final AtomicInteger polls = new AtomicInteger();
    private final AtomicInteger sleeps = new AtomicInteger();

    CountedTransport(DatagramTransport inner) {
        this.inner = inner;
    }

    int polls() {
        return polls.get();
    }

    int sleeps() {
        return sleeps.get();
    }

    @Override
    public boolean poll() throws IOException {
        polls.incrementAndGet();
        return inner.poll();
    }

    @Override
    public void await(long timeoutNs, long coalesceNs, boolean wantWrite) throws IOException {
        sleeps.incrementAndGet();
        inner.await(timeoutNs, coalesceNs, wantWrite);
    }

    @Override
    public String name() {
        return inner.name();
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
        inner.peers(endpoints, self);
    }

    @Override
    public void regroup(InetSocketAddress group) throws IOException {
        inner.regroup(group);
    }

    @Override
    public @Nullable Arrival receive() throws IOException {
        return inner.receive();
    }

    @Override
    public int batchBytes(int datagramBytes) {
        return inner.batchBytes(datagramBytes);
    }

    @Override
    public int send(MemorySegment datagrams, int datagramBytes, int destination) {
        return inner.send(datagrams, datagramBytes, destination);
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
    }
}

package org.madcast.netsim;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** A node without a protocol: sends what it is told to and remembers what came, and when. */
final class Station implements SimulatedNode {

    record Arrival(long timeNs, int lengthBytes, int number, ByteBuffer bytes) {}

    private record Departure(int destination, int lengthBytes, int number) {}

    private final ArrayDeque<Departure> toSend = new ArrayDeque<>();
    final List<Arrival> arrivals = new ArrayList<>();
    final List<Long> timeouts = new ArrayList<>();
    long deadlineNs = Long.MAX_VALUE;

    /** Queues a datagram whose first byte is its number; the others are zero. */
    Station send(int destination, int lengthBytes, int number) {
        toSend.add(new Departure(destination, lengthBytes, number));
        return this;
    }

    Station sendMany(int destination, int lengthBytes, int count) {
        for (int i = 0; i < count; i++) {
            send(destination, lengthBytes, i);
        }
        return this;
    }

    int unsent() {
        return toSend.size();
    }

    List<Long> arrivalTimes() {
        return arrivals.stream().map(Arrival::timeNs).toList();
    }

    List<Integer> numbers() {
        return arrivals.stream().map(Arrival::number).toList();
    }

    @Override
    public void onDatagram(long nowNs, MemorySegment datagram) {
        byte[] bytes = datagram.toArray(ValueLayout.JAVA_BYTE);
        arrivals.add(new Arrival(nowNs, bytes.length, bytes[0] & 0xFF, ByteBuffer.wrap(bytes)));
    }

    @Override
    public void onTimeout(long nowNs) {
        timeouts.add(nowNs);
        deadlineNs = Long.MAX_VALUE;
    }

    @Override
    public long nextDeadlineNs() {
        return deadlineNs;
    }

    @Override
    public int pollTransmit(long nowNs, MemorySegment out, TransmitSlot slot) {
        Departure next = toSend.poll();
        if (next == null) {
            return 0;
        }
        out.asSlice(0, next.lengthBytes()).fill((byte) 0);
        out.set(ValueLayout.JAVA_BYTE, 0, (byte) next.number());
        slot.to(next.destination());
        return next.lengthBytes();
    }
}

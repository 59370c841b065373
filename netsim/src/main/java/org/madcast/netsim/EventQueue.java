package org.madcast.netsim;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What is to happen, ordered by time and, within one nanosecond, by the order of adding. A binary
 * heap over parallel arrays: nothing is allocated per event. {@link #poll} loads the earliest event
 * into the accessors, where it stays until the next call.
 */
final class EventQueue {

    private long[] timesNs = new long[256];
    private long[] sequences = new long[256];
    private EventKind[] kinds = new EventKind[256];
    private int[] nodes = new int[256];
    private @Nullable Object[] payloads = new Object[256];
    private int size;
    private long nextSequence;

    private long polledTimeNs;
    private EventKind polledKind = EventKind.ACTION;
    private int polledNode;
    private @Nullable Object polledPayload;

    boolean isEmpty() {
        return size == 0;
    }

    /** The earliest event's time; only when not empty. */
    long nextTimeNs() {
        return timesNs[0];
    }

    void add(long timeNs, EventKind kind, int node, @Nullable Object payload) {
        if (size == timesNs.length) {
            grow();
        }
        siftUp(size++, timeNs, nextSequence++, kind, node, payload);
    }

    /** Takes the earliest event out; false when there is none. */
    boolean poll() {
        if (size == 0) {
            return false;
        }
        polledTimeNs = timesNs[0];
        polledKind = kinds[0];
        polledNode = nodes[0];
        polledPayload = payloads[0];
        int last = --size;
        Object payload = payloads[last];
        payloads[last] = null;
        if (last > 0) {
            siftDown(timesNs[last], sequences[last], kinds[last], nodes[last], payload);
        }
        return true;
    }

    long timeNs() {
        return polledTimeNs;
    }

    EventKind kind() {
        return polledKind;
    }

    int node() {
        return polledNode;
    }

    Object payload() {
        Object payload = polledPayload;
        if (payload == null) {
            throw new IllegalStateException("an event of kind " + kind() + " has no payload");
        }
        return payload;
    }

    private void siftUp(
            int start,
            long timeNs,
            long sequence,
            EventKind kind,
            int node,
            @Nullable Object payload) {
        int hole = start;
        while (hole > 0) {
            int parent = (hole - 1) >>> 1;
            if (timesNs[parent] <= timeNs) {
                break; // a new event has the highest sequence number, so equal times stay
            }
            move(parent, hole);
            hole = parent;
        }
        put(hole, timeNs, sequence, kind, node, payload);
    }

    private void siftDown(
            long timeNs, long sequence, EventKind kind, int node, @Nullable Object payload) {
        int hole = 0;
        int child = 1;
        while (child < size) {
            if (child + 1 < size && isBefore(timesNs[child + 1], sequences[child + 1], child)) {
                child++;
            }
            if (isBefore(timeNs, sequence, child)) {
                break;
            }
            move(child, hole);
            hole = child;
            child = 2 * hole + 1;
        }
        put(hole, timeNs, sequence, kind, node, payload);
    }

    private boolean isBefore(long timeNs, long sequence, int index) {
        long otherNs = timesNs[index];
        return timeNs < otherNs || (timeNs == otherNs && sequence < sequences[index]);
    }

    private void move(int from, int to) {
        put(to, timesNs[from], sequences[from], kinds[from], nodes[from], payloads[from]);
    }

    private void put(
            int index,
            long timeNs,
            long sequence,
            EventKind kind,
            int node,
            @Nullable Object payload) {
        timesNs[index] = timeNs;
        sequences[index] = sequence;
        kinds[index] = kind;
        nodes[index] = node;
        payloads[index] = payload;
    }

    private void grow() {
        int capacity = size * 2;
        timesNs = Arrays.copyOf(timesNs, capacity);
        sequences = Arrays.copyOf(sequences, capacity);
        kinds = Arrays.copyOf(kinds, capacity);
        nodes = Arrays.copyOf(nodes, capacity);
        payloads = Arrays.copyOf(payloads, capacity);
    }
}

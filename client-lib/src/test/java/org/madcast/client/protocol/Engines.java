package org.madcast.client.protocol;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.madcast.client.Algorithm;
import org.madcast.client.collective.Disseminations;
import org.madcast.client.wire.Checksum;
import org.madcast.client.wire.DatagramLayout;
import org.madcast.client.wire.DatagramType;

/** Small engines without a network, and what they send. */
final class Engines {

    static final long TOKEN = SimulatedJob.TOKEN;
    static final long MS = 1_000_000;

    /** So that 64 bytes of payload fill a datagram. */
    static final int DATAGRAM_BYTES = DatagramLayout.HEADER_BYTES + 64;

    static final int WINDOW = 32;

    private Engines() {}

    static EngineConfig config(int rank, int size) {
        return new EngineConfig(
                rank,
                size,
                TOKEN,
                DATAGRAM_BYTES,
                WINDOW,
                true,
                1_000 * MS,
                100 * MS,
                RateLimits.NONE,
                500_000,
                Disseminations.byCode(),
                Algorithm.CHAIN.code());
    }

    static BroadcastEngine of(int rank, int size) {
        return new BroadcastEngine(config(rank, size), Arena.ofAuto(), 0);
    }

    /** A datagram that an engine sent. */
    record Sent(int destination, MemorySegment datagram) {
        DatagramType type() {
            return DatagramLayout.type(datagram);
        }

        byte[] bytes() {
            return datagram.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
        }
    }

    /** Everything that the engine sends now. */
    static List<Sent> poll(BroadcastEngine engine, long nowNs) {
        List<Sent> all = new ArrayList<>();
        TransmitSlot slot = new TransmitSlot();
        byte[] out = new byte[2048];
        int bytes;
        while ((bytes = engine.pollTransmit(nowNs, MemorySegment.ofArray(out), slot)) > 0) {
            MemorySegment copy = MemorySegment.ofArray(java.util.Arrays.copyOf(out, bytes));
            all.add(new Sent(slot.destination(), copy));
        }
        return all;
    }

    /** Everything that the engine hands on by the reliable way now. */
    static List<Sent> pollReliable(BroadcastEngine engine, long nowNs) {
        List<Sent> all = new ArrayList<>();
        TransmitSlot slot = new TransmitSlot();
        byte[] out = new byte[2048];
        int bytes;
        while ((bytes = engine.pollReliable(nowNs, MemorySegment.ofArray(out), slot)) > 0) {
            MemorySegment copy = MemorySegment.ofArray(java.util.Arrays.copyOf(out, bytes));
            all.add(new Sent(slot.destination(), copy));
        }
        return all;
    }

    /** An empty control queue of a rank. */
    static ControlQueue controlQueue(int rank) {
        return new ControlQueue(rank, TOKEN, new Checksum(), Arena.ofAuto());
    }

    /** Everything that waits in a control queue. */
    static List<Sent> poll(ControlQueue queue) {
        List<Sent> all = new ArrayList<>();
        TransmitSlot slot = new TransmitSlot();
        byte[] out = new byte[2048];
        int bytes;
        while ((bytes = queue.poll(MemorySegment.ofArray(out), slot)) > 0) {
            MemorySegment copy = MemorySegment.ofArray(java.util.Arrays.copyOf(out, bytes));
            all.add(new Sent(slot.destination(), copy));
        }
        return all;
    }

    /** Everything that the engine sends after a timeout. */
    static List<Sent> pollAfterTimeout(BroadcastEngine engine, long nowNs) {
        engine.onTimeout(nowNs);
        return poll(engine, nowNs);
    }

    /** The first of a type. */
    static Sent first(List<Sent> sent, DatagramType type) {
        return sent.stream().filter(one -> one.type() == type).findFirst().orElseThrow();
    }
}

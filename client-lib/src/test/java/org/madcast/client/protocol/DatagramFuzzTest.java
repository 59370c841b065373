package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.madcast.client.Algorithm;
import org.madcast.client.protocol.Engines.Sent;
import org.madcast.client.wire.Arrival;
import org.madcast.client.wire.Checksum;
import org.madcast.client.wire.DatagramLayout;
import org.madcast.client.wire.DatagramType;
import org.madcast.netsim.RandomStream;
import org.madcast.netsim.Seeds;

/**
 * Engines fed with what no honest rank sends: noise, damaged datagrams, and well-formed ones (right
 * token, right checksum) with hostile fields. Nothing may throw and no invariant may break; what is
 * stored is bounded, because the engine's memory is all allocated when it is made.
 */
class DatagramFuzzTest {

    private static final int DATAGRAMS_PER_SEED = 2_000;
    private static final int SIZE = 6;

    /** A window of repairs, one of forwards to every other rank, and the control queue. */
    private static final long MOST_SENT_AT_ONCE = (SIZE + 3L) * Engines.WINDOW;

    @Test
    void nothingThrowsAndEveryInvariantHolds() {
        Seeds.forEach(100, DatagramFuzzTest::fuzz);
    }

    @Test
    @Tag("slow")
    void norDoTenMillionDatagrams() {
        Seeds.forEach(5_000, DatagramFuzzTest::fuzz);
    }

    private static void fuzz(long seed) {
        RandomStream random = RandomStream.of(seed, "fuzz");
        BroadcastEngine engine = Engines.of(random.nextInt(SIZE), SIZE);
        List<MemorySegment> seen = honestDatagrams();
        long nowNs = 0;
        for (int i = 0; i < DATAGRAMS_PER_SEED; i++) {
            nowNs += random.nextInt(300_000);
            if (engine.failure() != null && random.chance(0.1)) {
                engine = Engines.of(random.nextInt(SIZE), SIZE);
            }
            maybeCall(engine, random, nowNs);
            engine.onDatagram(nowNs, Arrival.of(next(random, seen)));
            engine.checkInvariants();
            if (random.chance(0.4)) {
                settle(engine, nowNs);
            }
        }
    }

    /** What a driver does; it must come to rest without time passing. */
    private static void settle(BroadcastEngine engine, long nowNs) {
        long sent = 0;
        for (int i = 0; i == 0 || engine.nextDeadlineNs() <= nowNs; i++) {
            assertThat(i).as("rounds without time passing").isLessThan(100);
            engine.onTimeout(nowNs);
            engine.checkInvariants();
            sent += Engines.poll(engine, nowNs).size();
            engine.checkInvariants();
        }
        assertThat(sent).isLessThan(MOST_SENT_AT_ONCE);
    }

    private static void maybeCall(BroadcastEngine engine, RandomStream random, long nowNs) {
        if (!engine.callPending() && engine.failure() == null && random.chance(0.05)) {
            byte[] message = new byte[random.nextInt(5_000)];
            engine.call(
                    nowNs,
                    MemorySegment.ofArray(message),
                    random.nextInt(SIZE),
                    random.nextInt(Algorithm.values().length));
        }
    }

    private static MemorySegment next(RandomStream random, List<MemorySegment> seen) {
        return switch (random.nextInt(4)) {
            case 0 -> noise(random);
            case 1 -> damaged(random, seen.get(random.nextInt(seen.size())));
            case 2 -> sealed(random, seen.get(random.nextInt(seen.size())));
            default -> hostile(random);
        };
    }

    private static MemorySegment noise(RandomStream random) {
        byte[] bytes = new byte[random.nextInt(200)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) random.nextInt(256);
        }
        return MemorySegment.ofArray(bytes);
    }

    private static MemorySegment damaged(RandomStream random, MemorySegment honest) {
        byte[] bytes = honest.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
        for (int i = random.nextInt(4); i >= 0; i--) {
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        }
        long length = random.chance(0.2) ? random.nextInt(bytes.length) : bytes.length;
        return MemorySegment.ofArray(bytes).asSlice(0, length);
    }

    /** Damaged, but with a checksum that fits. */
    private static MemorySegment sealed(RandomStream random, MemorySegment honest) {
        MemorySegment damaged = damaged(random, honest);
        if (damaged.byteSize() >= DatagramLayout.HEADER_BYTES) {
            new Checksum().seal(damaged);
        }
        return damaged;
    }

    /** Well-formed as far as the check can see; every field random, often near an edge. */
    private static MemorySegment hostile(RandomStream random) {
        DatagramType[] types = DatagramType.values();
        DatagramType type = types[random.nextInt(types.length)];
        int bytes = (int) number(random, 300);
        long fragment = random.chance(0.7) ? random.nextInt(3) : number(random, 6);
        int payload = type.carriesFragment() ? fitting(bytes, fragment) : 4 * random.nextInt(16);
        Forged forged =
                Forged.of(type, random.nextInt(SIZE), Math.max(0, payload), random.nextInt(16));
        MemorySegment datagram =
                forged.sequence(number(random, 2 * Engines.WINDOW))
                        .message(number(random, 3), random.nextInt(SIZE), bytes & 0x7fff_ffff)
                        .fragment(fragment)
                        .seal();
        for (int i = 0; !type.carriesFragment() && 4 * i < payload; i++) {
            DatagramLayout.putPayloadInt(datagram, i, (int) number(random, 2 * Engines.WINDOW));
        }
        new Checksum().seal(datagram);
        return datagram;
    }

    private static int fitting(int bytes, long fragment) {
        return Math.clamp(bytes - 64 * fragment, 0, 64);
    }

    private static long number(RandomStream random, int small) {
        return switch (random.nextInt(8)) {
            case 0 -> -1 - random.nextInt(3);
            case 1 -> Integer.MAX_VALUE - random.nextInt(3);
            case 2 -> Integer.MIN_VALUE + random.nextInt(3);
            case 3 -> random.nextInt(Integer.MAX_VALUE);
            default -> random.nextInt(small + 1);
        };
    }

    /** A few of each kind that engines really send. */
    private static List<MemorySegment> honestDatagrams() {
        List<MemorySegment> all = new ArrayList<>();
        for (int rank = 0; rank < SIZE; rank++) {
            BroadcastEngine engine = Engines.of(rank, SIZE);
            engine.call(0, MemorySegment.ofArray(new byte[200]), 2, 0);
            for (long nowNs : new long[] {0, 60_000_000, 70_000_000}) {
                Engines.pollAfterTimeout(engine, nowNs).stream()
                        .map(Sent::datagram)
                        .forEach(all::add);
            }
        }
        return all;
    }
}

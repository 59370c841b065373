package org.madcast.client.wire;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is read once is what {@link DatagramLayout} reads field by field, wherever it lies. */
class DatagramTest {

    private static final int MEMORY_BYTES = 300;
    private static final ValueLayout.OfLong TOKEN =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final Random random = new Random(20261123);

    private static void assertSame(Datagram datagram, MemorySegment bytes) {
        assertThat(datagram.byteSize()).isEqualTo((int) bytes.byteSize());
        assertThat(datagram.version()).isEqualTo((bytes.get(JAVA_BYTE, 0) & 0xff) >> 4);
        assertThat(datagram.algorithm()).isEqualTo(DatagramLayout.algorithm(bytes));
        assertThat(datagram.typeCode()).isEqualTo(bytes.get(JAVA_BYTE, 1));
        assertThat(datagram.sender()).isEqualTo(DatagramLayout.sender(bytes));
        assertThat(datagram.token()).isEqualTo(bytes.get(TOKEN, DatagramLayout.TOKEN_OFFSET));
        assertThat(datagram.sequence()).isEqualTo(DatagramLayout.sequence(bytes));
        assertThat(datagram.broadcast()).isEqualTo(DatagramLayout.broadcast(bytes));
        assertThat(datagram.fragment()).isEqualTo(DatagramLayout.fragment(bytes));
        assertThat(datagram.root()).isEqualTo(DatagramLayout.root(bytes));
        assertThat(datagram.messageBytes()).isEqualTo(DatagramLayout.messageBytes(bytes));
        assertThat(datagram.segment().mismatch(bytes)).isEqualTo(-1);
    }

    private void readsWhatTheLayoutReads(MemorySegment memory) {
        byte[] noise = new byte[MEMORY_BYTES];
        Datagram datagram = new Datagram(memory);
        for (int i = 0; i < 10_000; i++) {
            random.nextBytes(noise);
            memory.copyFrom(MemorySegment.ofArray(noise));
            int at = random.nextInt(MEMORY_BYTES - DatagramLayout.HEADER_BYTES);
            int bytes = random.nextInt(DatagramLayout.HEADER_BYTES, MEMORY_BYTES - at + 1);
            assertSame(datagram.lay(at, bytes), memory.asSlice(at, bytes));
        }
    }

    @Test
    void nativeMemory() {
        try (Arena arena = Arena.ofConfined()) {
            readsWhatTheLayoutReads(arena.allocate(MEMORY_BYTES));
        }
    }

    @Test
    void anArray() {
        readsWhatTheLayoutReads(MemorySegment.ofArray(new byte[MEMORY_BYTES]));
    }

    /** Also after the one before it has been summed, which moves the buffer's position. */
    @Test
    void theChecksumIsOfItsOwnBytes() {
        MemorySegment memory = MemorySegment.ofArray(new byte[MEMORY_BYTES]);
        Checksum checksum = new Checksum();
        Datagram datagram = new Datagram(memory);
        for (int i = 0; i < 1_000; i++) {
            int at = random.nextInt(MEMORY_BYTES - DatagramLayout.HEADER_BYTES);
            int bytes = random.nextInt(DatagramLayout.HEADER_BYTES, MEMORY_BYTES - at + 1);
            memory.set(JAVA_BYTE, at + bytes - 1L, (byte) i);
            checksum.seal(memory.asSlice(at, bytes));
            assertThat(datagram.lay(at, bytes).matches(checksum)).isTrue();
            int damaged = at + random.nextInt(bytes);
            byte before = memory.get(JAVA_BYTE, damaged);
            memory.set(JAVA_BYTE, damaged, (byte) (before ^ 1));
            assertThat(datagram.lay(at, bytes).matches(checksum)).isFalse();
        }
    }

    @Test
    void whatIsTooShortForAHeaderIsNotRead() {
        Datagram datagram = new Datagram(MemorySegment.ofArray(new byte[40]));
        assertThat(datagram.lay(20, 20).byteSize()).isEqualTo(20);
        assertThat(datagram.lay(40, 0).segment().byteSize()).isZero();
    }
}

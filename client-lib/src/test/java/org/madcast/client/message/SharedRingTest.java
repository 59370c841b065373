package org.madcast.client.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The ring between two processes, here between two threads. */
@Timeout(60)
class SharedRingTest {

    private static final int RING_BYTES = 1 << 16;

    private final MemorySegment memory =
            Arena.ofAuto().allocate(SharedRing.HEADER_BYTES + RING_BYTES, 64);
    private final SharedRing writer = new SharedRing(memory);
    private final SharedRing reader = new SharedRing(memory);

    private void fill() throws IOException {
        for (ByteBuffer room = writer.room(); room.hasRemaining(); room = writer.room()) {
            boolean _ = writer.wrote(room.remaining());
        }
    }

    /** In parts of any length, so that they end everywhere in the ring. */
    @Test
    void bytesArriveInOrder() throws Exception {
        int total = 40 * RING_BYTES;
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        Thread writing =
                Thread.ofPlatform()
                        .uncaughtExceptionHandler((_, thrown) -> failure.set(thrown))
                        .start(() -> write(total));
        int read = 0;
        while (read < total) {
            ByteBuffer part = reader.bytes();
            int bytes = part.remaining();
            while (part.hasRemaining()) {
                assertThat(part.get()).isEqualTo((byte) (read * 31 + (read >> 12)));
                read++;
            }
            boolean _ = reader.hasRead(bytes);
        }
        writing.join();
        assertThat(failure).hasNullValue();
        assertThat(reader.hasBytes()).isFalse();
    }

    private void write(int total) {
        Random random = new Random(5);
        try {
            for (int written = 0; written < total; ) {
                ByteBuffer room = writer.room();
                int bytes = Math.min(room.remaining(), total - written);
                bytes = bytes == 0 ? 0 : 1 + random.nextInt(bytes);
                for (int i = 0; i < bytes; i++, written++) {
                    room.put((byte) (written * 31 + (written >> 12)));
                }
                boolean _ = writer.wrote(bytes);
            }
        } catch (IOException spoiled) {
            throw new AssertionError(spoiled);
        }
    }

    @Test
    void theOneThatSleepsIsWokenOnce() throws IOException {
        assertThat(writer.wrote(10)).isFalse();
        reader.sleep(true);
        assertThat(writer.wrote(10)).isTrue();
        assertThat(writer.wrote(10)).isFalse();

        fill();
        writer.sleep(false);
        assertThat(reader.hasRead(RING_BYTES / 2 - 1)).as("little room").isFalse();
        assertThat(reader.hasRead(1)).isTrue();
        assertThat(reader.hasRead(1)).isFalse();
    }

    @Test
    void oneThatIsAwakeAgainIsNotWoken() {
        reader.sleep(true);
        reader.awake(true);
        assertThat(writer.wrote(10)).isFalse();
    }

    /** The other process may write anything there. */
    @Test
    void whatCannotBeIsRefused() throws IOException {
        fill();
        for (long wrong : new long[] {-1, RING_BYTES + 1L, Long.MAX_VALUE, Long.MIN_VALUE}) {
            memory.set(ValueLayout.JAVA_LONG, 0, wrong); // written
            assertThatExceptionOfType(IOException.class).isThrownBy(reader::bytes);
        }
        for (long wrong : new long[] {-1, RING_BYTES + 1L, Long.MAX_VALUE, Long.MIN_VALUE}) {
            memory.set(ValueLayout.JAVA_LONG, 128, wrong); // read
            assertThatExceptionOfType(IOException.class).isThrownBy(writer::room);
        }
    }
}

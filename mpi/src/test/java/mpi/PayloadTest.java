package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.DoubleBuffer;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Data that are one block are sent and received where they lie. */
final class PayloadTest {

    private static void isPartOf(Object array, long offset, long bytes, MemorySegment memory) {
        assertThat(memory.heapBase().orElseThrow()).isSameAs(array);
        assertThat(memory.address()).isEqualTo(offset);
        assertThat(memory.byteSize()).isEqualTo(bytes);
    }

    @Test
    void arraysOfPrimitivesAreNotCopied() {
        int[] array = new int[10];
        isPartOf(array, 8, 12, Payload.toSend(array, 2, 3, MPI.INT).memory());
        isPartOf(array, 8, 12, Payload.toReceive(array, 2, 3, MPI.INT).memory());
        MemorySegment block = Payload.block(array, 2, 3, MPI.INT);
        isPartOf(array, 8, 12, Objects.requireNonNull(block));
        Datatype pair = Datatype.Contiguous(2, MPI.INT);
        isPartOf(array, 4, 16, Payload.toSend(array, 1, 2, pair).memory());
    }

    @Test
    void partsOfAnArrayAreNotCopied() {
        long[] array = new long[12];
        Blocks even = Blocks.even(array, 2, 3, MPI.LONG, 3, true);
        isPartOf(array, 16, 72, even.evenMemory());
        isPartOf(array, 40, 24, even.inPlace(1));
        int[] counts = {2, 0, 3};
        Blocks uneven = Blocks.uneven(array, 1, counts, new int[] {6, 0, 0}, MPI.LONG, 3, true);
        isPartOf(array, 0, 96, uneven.memory());
        assertThat(uneven.parts().displacements()).containsExactly(56, 0, 8);
        assertThat(uneven.parts().counts()).containsExactly(16, 0, 24);
    }

    @Test
    void directBuffersAreNotCopied() {
        DoubleBuffer buffer = MPI.newDoubleBuffer(4);
        MemorySegment memory = Payload.toSend(buffer, 0, 2, MPI.DOUBLE).memory();
        memory.setAtIndex(java.lang.foreign.ValueLayout.JAVA_DOUBLE, 1, 2.5);
        assertThat(buffer.get(1)).isEqualTo(2.5);
        assertThat(memory.isNative()).isTrue();
    }
}

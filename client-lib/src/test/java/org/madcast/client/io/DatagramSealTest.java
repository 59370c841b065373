package org.madcast.client.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import javax.crypto.SecretKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.client.JobKey;

class DatagramSealTest {

    private static final int LONGEST = 1448;
    private static final SecretKey KEY = JobKey.ofHex("00".repeat(32)).ofCommunicator(1);

    private final MemorySegment sealed = Arena.ofAuto().allocate(LONGEST + 24);
    private final MemorySegment opened = Arena.ofAuto().allocate(LONGEST);
    private final DatagramSeal sender = new DatagramSeal(KEY, 3, LONGEST);
    private final DatagramSeal receiver = new DatagramSeal(KEY, 4, LONGEST);

    private static MemorySegment datagram(int bytes) {
        byte[] content = new byte[bytes];
        new Random(bytes).nextBytes(content);
        return MemorySegment.ofArray(content);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 36, 37, 1447, LONGEST})
    void whatWasSealedOpensToTheSame(int bytes) {
        MemorySegment datagram = datagram(bytes);
        int length = sender.seal(datagram, sealed, 0);
        assertThat(length).isEqualTo(bytes + DatagramSeal.OVERHEAD_BYTES);
        assertThat(receiver.open(sealed.asSlice(0, length), opened)).isEqualTo(bytes);
        assertThat(opened.asSlice(0, bytes).mismatch(datagram)).isEqualTo(-1);
    }

    @Test
    void theSameDatagramIsSealedDifferentlyEachTime() {
        MemorySegment datagram = datagram(100);
        int length = sender.seal(datagram, sealed, 0);
        byte[] first = sealed.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
        sender.seal(datagram, sealed, 0);
        byte[] second = sealed.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
        assertThat(second).isNotEqualTo(first);
        // The prefix: rank 3, the second datagram.
        assertThat(second).startsWith(0, 3, 0, 0, 0, 0, 0, 1);
    }

    @Test
    void whoOpensKnowsHowManyCameBefore() {
        for (int number : new int[] {0, 1, 2}) {
            int length = sender.seal(datagram(100), sealed, 0);
            assertThat(receiver.open(sealed.asSlice(0, length), opened)).isEqualTo(100);
            assertThat(receiver.openedNumber()).isEqualTo(number);
        }
    }

    @Test
    void noChangedBitIsAccepted() {
        int length = sender.seal(datagram(60), sealed, 0);
        for (int bit = 0; bit < 8 * length; bit++) {
            byte whole = sealed.get(ValueLayout.JAVA_BYTE, bit / 8);
            sealed.set(ValueLayout.JAVA_BYTE, bit / 8, (byte) (whole ^ (1 << (bit % 8))));
            assertThat(receiver.open(sealed.asSlice(0, length), opened))
                    .as("bit " + bit)
                    .isEqualTo(-1);
            sealed.set(ValueLayout.JAVA_BYTE, bit / 8, whole);
        }
        assertThat(receiver.open(sealed.asSlice(0, length), opened)).isEqualTo(60);
    }

    @Test
    void noLengthIsAcceptedButTheRightOne() {
        int length = sender.seal(datagram(60), sealed, 0);
        for (int wrong = 0; wrong < length; wrong++) {
            assertThat(receiver.open(sealed.asSlice(0, wrong), opened)).isEqualTo(-1);
        }
        assertThat(receiver.open(Arena.ofAuto().allocate(LONGEST + 25), opened)).isEqualTo(-1);
    }

    @Test
    void anotherCommunicatorsDatagramDoesNotOpen() {
        SecretKey other = JobKey.ofHex("00".repeat(32)).ofCommunicator(2);
        int length = new DatagramSeal(other, 3, LONGEST).seal(datagram(60), sealed, 0);
        assertThat(receiver.open(sealed.asSlice(0, length), opened)).isEqualTo(-1);
    }
}

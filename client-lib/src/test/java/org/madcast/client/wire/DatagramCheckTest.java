package org.madcast.client.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.madcast.netsim.RandomStream;
import org.madcast.netsim.Seeds;

/** Each reason not to believe a datagram, and that nothing else keeps one out. */
class DatagramCheckTest {

    private static final long TOKEN = 0xfedcba9876543210L;
    private static final int RANK = 3;
    private static final int SIZE = 6;
    private static final int MAX_BYTES = 100;

    private final Checksum checksum = new Checksum();
    private final DatagramCheck check =
            new DatagramCheck(TOKEN, RANK, SIZE, MAX_BYTES, true, checksum);

    private static MemorySegment from(int sender, int payloadBytes) {
        MemorySegment datagram =
                MemorySegment.ofArray(new byte[DatagramLayout.HEADER_BYTES + payloadBytes]);
        DatagramLayout.start(datagram, 0, DatagramType.DATA, sender, TOKEN);
        return datagram;
    }

    private MemorySegment sealed(MemorySegment datagram) {
        checksum.seal(datagram);
        return datagram;
    }

    private @Nullable Rejection reject(MemorySegment datagram) {
        return check.reject(Datagram.of(datagram));
    }

    @Test
    void aSoundHeaderIsBelieved() {
        assertThat(reject(sealed(from(2, 0)))).isNull();
        assertThat(reject(sealed(from(2, MAX_BYTES - DatagramLayout.HEADER_BYTES)))).isNull();
    }

    @Test
    void lengths() {
        assertThat(reject(MemorySegment.ofArray(new byte[0]))).isEqualTo(Rejection.BAD_LENGTH);
        assertThat(reject(sealed(from(2, 1)).asSlice(0, DatagramLayout.HEADER_BYTES - 1)))
                .isEqualTo(Rejection.BAD_LENGTH);
        assertThat(reject(sealed(from(2, MAX_BYTES - DatagramLayout.HEADER_BYTES + 1))))
                .isEqualTo(Rejection.BAD_LENGTH);
    }

    @Test
    void versions() {
        for (int version = 0; version < 16; version++) {
            MemorySegment datagram = from(2, 0);
            datagram.set(ValueLayout.JAVA_BYTE, 0, (byte) (version << 4));
            assertThat(reject(sealed(datagram)))
                    .isEqualTo(version == 1 ? null : Rejection.BAD_VERSION);
        }
    }

    @Test
    void anotherTokenIsForeignEvenWhenTheChecksumFitsNot() {
        MemorySegment datagram = from(2, 0);
        DatagramLayout.start(datagram, 0, DatagramType.DATA, 2, TOKEN ^ 1);
        assertThat(reject(sealed(datagram))).isEqualTo(Rejection.FOREIGN);
        DatagramLayout.putChecksum(datagram, 0);
        assertThat(reject(datagram)).isEqualTo(Rejection.FOREIGN);
    }

    @Test
    void everyFlippedBitBehindTheTokenIsFoundByTheChecksum() {
        MemorySegment datagram = sealed(from(2, 20));
        byte[] original = datagram.toArray(ValueLayout.JAVA_BYTE);
        for (int bit = 8 * 16; bit < 8 * original.length; bit++) {
            byte[] damaged = original.clone();
            damaged[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(reject(MemorySegment.ofArray(damaged))).isEqualTo(Rejection.BAD_CHECKSUM);
        }
    }

    @Test
    void aSenderWithoutChecksumsComputesNoneAndIsAccepted() {
        MemorySegment datagram = sealed(from(2, 20));
        new Checksum(false).seal(datagram);
        assertThat(datagram.asSlice(4, 4).toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
        assertThat(reject(datagram)).isNull();
    }

    @Test
    void withoutChecksumsDamageIsNotLookedFor() {
        DatagramCheck trusting = new DatagramCheck(TOKEN, RANK, SIZE, MAX_BYTES, false, checksum);
        assertThat(trusting.reject(Datagram.of(from(2, 0)))).isNull();
    }

    @Test
    void types() {
        for (int code = 0; code < 256; code++) {
            MemorySegment datagram = from(2, 0);
            datagram.set(ValueLayout.JAVA_BYTE, 1, (byte) code);
            boolean known = code >= 1 && code <= 11;
            assertThat(reject(sealed(datagram))).isEqualTo(known ? null : Rejection.BAD_TYPE);
        }
    }

    @Test
    void senders() {
        assertThat(reject(sealed(from(RANK, 0)))).isEqualTo(Rejection.OWN_ECHO);
        assertThat(reject(sealed(from(SIZE - 1, 0)))).isNull();
        assertThat(reject(sealed(from(SIZE, 0)))).isEqualTo(Rejection.BAD_SENDER);
        assertThat(reject(sealed(from(0xffff, 0)))).isEqualTo(Rejection.BAD_SENDER);
    }

    @Test
    void aRootThatIsNoRankIsABadSender() {
        MemorySegment datagram = from(2, 0);
        DatagramLayout.putMessage(datagram, 0, SIZE, 0);
        assertThat(reject(sealed(datagram))).isEqualTo(Rejection.BAD_SENDER);
    }

    @Test
    void noBytesMakeItThrow() {
        Seeds.forEach(
                200,
                seed -> {
                    RandomStream random = RandomStream.of(seed, "check");
                    for (int i = 0; i < 1_000; i++) {
                        byte[] bytes = new byte[random.nextInt(2 * MAX_BYTES)];
                        for (int b = 0; b < bytes.length; b++) {
                            bytes[b] = (byte) random.nextInt(256);
                        }
                        MemorySegment noise = MemorySegment.ofArray(bytes);
                        if (bytes.length > DatagramLayout.HEADER_BYTES && random.chance(0.5)) {
                            bytes[0] = 0x10;
                            noise.set(
                                    ValueLayout.JAVA_LONG_UNALIGNED.withOrder(
                                            java.nio.ByteOrder.BIG_ENDIAN),
                                    DatagramLayout.TOKEN_OFFSET,
                                    TOKEN);
                        }
                        assertThat(reject(noise)).isNotNull();
                    }
                });
    }

    @Test
    void reasonsHaveReadableNames() {
        assertThat(Rejection.BAD_CHECKSUM.label()).isEqualTo("bad-checksum");
        assertThat(Rejection.FOREIGN.label()).isEqualTo("foreign");
    }
}

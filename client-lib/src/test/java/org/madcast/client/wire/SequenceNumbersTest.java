package org.madcast.client.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.madcast.netsim.RandomStream;
import org.madcast.netsim.Seeds;

class SequenceNumbersTest {

    private static final long FARTHEST = (1L << 31) - 1;

    /** Whatever is nearer than 2^31 comes back whole, at every place of the 64-bit range. */
    @Test
    void theLowHalfOfANearNumberGivesTheWholeNumber() {
        Seeds.forEach(
                100,
                seed -> {
                    RandomStream random = RandomStream.of(seed, "sequences");
                    for (int i = 0; i < 1_000; i++) {
                        long reference = random.nextLong(1L << 62);
                        long distance = random.nextLong(2 * FARTHEST + 1) - FARTHEST;
                        long whole = reference + distance;
                        assertThat(SequenceNumbers.extend(reference, (int) whole)).isEqualTo(whole);
                    }
                });
    }

    @Test
    void wrapsAreCrossedInBothDirections() {
        long wrap = 1L << 32;
        for (long reference = wrap - 3; reference <= wrap + 3; reference++) {
            for (long whole = wrap - 3; whole <= wrap + 3; whole++) {
                assertThat(SequenceNumbers.extend(reference, (int) whole)).isEqualTo(whole);
            }
        }
        assertThat(SequenceNumbers.extend(0, -1)).isEqualTo(-1);
        assertThat(SequenceNumbers.extend(FARTHEST + 1, (int) (FARTHEST + 1 + FARTHEST)))
                .isEqualTo(FARTHEST + 1 + FARTHEST);
    }
}

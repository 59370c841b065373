package org.madcast.client.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The usual statistical tests: those of FIPS 140-2 (change notice 1) on blocks of 20,000 bits, the
 * correlation of bits at a distance, and the bits of what the gatherer seeds the generator with.
 * The seeds are fixed, so a pass stays a pass.
 */
final class RandomnessTest {

    private static final int BITS = 20_000;

    /** How many runs of 1, 2, 3, 4, 5 and of 6 and more equal bits there may be. */
    private static final int[][] RUNS = {
        {2315, 2685}, {1114, 1386}, {527, 723}, {240, 384}, {103, 209}, {103, 209}
    };

    private static final int LONGEST_RUN = 25;

    private static int[] bits(long seed) {
        BlumBlumShub generator = new BlumBlumShub(seed);
        int[] bits = new int[BITS];
        for (int i = 0; i < BITS; i++) {
            bits[i] = generator.nextBit();
        }
        return bits;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 17, 4711, 123_456_789, 0x5eed_2005L, Long.MAX_VALUE, -1})
    void passesMonobitPokerAndRuns(long seed) {
        int[] bits = bits(seed);
        int ones = 0;
        int[] nibbles = new int[16];
        int[][] runs = new int[2][6];
        int length = 0;
        for (int i = 0; i < BITS; i++) {
            ones += bits[i];
            if (i % 4 == 3) {
                nibbles[bits[i - 3] << 3 | bits[i - 2] << 2 | bits[i - 1] << 1 | bits[i]]++;
            }
            length++;
            if (i + 1 == BITS || bits[i + 1] != bits[i]) {
                assertThat(length).as("run that ends at %d", i).isLessThanOrEqualTo(LONGEST_RUN);
                runs[bits[i]][Math.min(length, 6) - 1]++;
                length = 0;
            }
        }
        assertThat(ones).as("monobit").isBetween(9726, 10_274);
        double squares = 0;
        for (int count : nibbles) {
            squares += (double) count * count;
        }
        assertThat(16.0 / 5000 * squares - 5000).as("poker").isBetween(2.17, 46.16);
        for (int bit = 0; bit < 2; bit++) {
            for (int i = 0; i < 6; i++) {
                assertThat(runs[bit][i])
                        .as("runs of %d times %d", i + 1, bit)
                        .isBetween(RUNS[i][0], RUNS[i][1]);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 4711, 0x5eed_2005L})
    void bitsAtADistanceAreIndependent(long seed) {
        int[] bits = bits(seed);
        for (int distance = 1; distance <= 64; distance++) {
            int differing = 0;
            int pairs = BITS - distance;
            for (int i = 0; i < pairs; i++) {
                differing += bits[i] ^ bits[i + distance];
            }
            // Within 4.5 standard deviations: 64 looks at 3 seeds.
            assertThat(Math.abs(2.0 * differing - pairs) / Math.sqrt(pairs))
                    .as("distance %d", distance)
                    .isLessThan(4.5);
        }
    }

    /** Each bit of what is gathered is as often 0 as 1, also when gathered in quick succession. */
    @Test
    void whatIsGatheredHasNoFixedBits() {
        int gatherings = 2000;
        EntropyGatherer gatherer = new EntropyGatherer();
        int[] ones = new int[Long.SIZE];
        for (int i = 0; i < gatherings; i++) {
            long gathered = gatherer.gather();
            for (int bit = 0; bit < Long.SIZE; bit++) {
                ones[bit] += (int) (gathered >>> bit & 1);
            }
        }
        for (int bit = 0; bit < Long.SIZE; bit++) {
            // Six standard deviations: this test's draws differ each time.
            assertThat(Math.abs(2.0 * ones[bit] - gatherings) / Math.sqrt(gatherings))
                    .as("bit %d", bit)
                    .isLessThan(6);
        }
    }
}

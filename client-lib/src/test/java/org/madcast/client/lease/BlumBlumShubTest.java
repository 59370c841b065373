package org.madcast.client.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class BlumBlumShubTest {

    private static final BigInteger M = BigInteger.valueOf(BlumBlumShub.MODULUS);
    private static final BigInteger P = BigInteger.valueOf(64_129_007L);
    private static final BigInteger Q = BigInteger.valueOf(71_912_637_263L);
    private static final long SEED = 0x5eed_2005L;

    /** Figure 16 of seed 000, by doubling and adding. */
    private static long figure16(long x) {
        long r = 0;
        long a = x;
        long b = x;
        while (b != 0) {
            if ((b & 1) == 0) {
                a = Long.remainderUnsigned(2 * a, BlumBlumShub.MODULUS);
                b >>= 1;
            } else {
                r = Long.remainderUnsigned(r + a, BlumBlumShub.MODULUS);
                a = Long.remainderUnsigned(2 * a, BlumBlumShub.MODULUS);
                b = (b - 1) >> 1;
            }
        }
        return r;
    }

    private static void assertSquare(long x) {
        long expected = BigInteger.valueOf(x).modPow(BigInteger.TWO, M).longValueExact();
        assertThat(BlumBlumShub.square(x)).as("square of %d", x).isEqualTo(expected);
        assertThat(figure16(x)).as("figure 16 of %d", x).isEqualTo(expected);
    }

    @Test
    void modulusIsTheProductOfTwoPrimesCongruent3Modulo4() {
        assertThat(P.multiply(Q)).isEqualTo(M).isEqualTo(BigInteger.TWO.pow(62).subtract(big(63)));
        assertThat(P.isProbablePrime(100)).isTrue();
        assertThat(Q.isProbablePrime(100)).isTrue();
        assertThat(P.mod(big(4))).isEqualTo(big(3));
        assertThat(Q.mod(big(4))).isEqualTo(big(3));
    }

    private static BigInteger big(long value) {
        return BigInteger.valueOf(value);
    }

    @Test
    void squaresAgreeWithBigIntegerAndFigure16() {
        for (long edge : new long[] {0, 1, 2, 63, 64, (1L << 31) - 1, 1L << 31, (1L << 61) + 1}) {
            assertSquare(edge);
            assertSquare(BlumBlumShub.MODULUS - 1 - edge);
        }
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < 20_000; i++) {
            assertSquare(random.nextLong(BlumBlumShub.MODULUS) >>> random.nextInt(62));
        }
    }

    @Test
    void everySeedGivesAQuadraticResidueThatMoves() {
        SplittableRandom random = new SplittableRandom(SEED);
        long[] hard = {0, 1, -1, BlumBlumShub.MODULUS, BlumBlumShub.MODULUS - 1, 64_129_007L};
        for (int i = 0; i < 2_000; i++) {
            long seed = i < hard.length ? hard[i] : random.nextLong();
            long state = new BlumBlumShub(seed).state();
            BigInteger x = big(state);
            assertThat(x.gcd(M)).as("seed %d", seed).isEqualTo(BigInteger.ONE);
            assertThat(state).isNotEqualTo(1);
            assertThat(isResidue(x, P) && isResidue(x, Q)).as("seed %d", seed).isTrue();
        }
    }

    /** Euler's criterion. */
    private static boolean isResidue(BigInteger x, BigInteger prime) {
        BigInteger half = prime.subtract(BigInteger.ONE).shiftRight(1);
        return x.modPow(half, prime).equals(BigInteger.ONE);
    }

    @Test
    void bitsAreTheParitiesOfTheStates() {
        BlumBlumShub generator = new BlumBlumShub(SEED);
        BigInteger x = big(generator.state());
        for (int i = 0; i < 1_000; i++) {
            x = x.modPow(BigInteger.TWO, M);
            assertThat(generator.nextBit()).isEqualTo(x.bitCount() % 2);
        }
    }

    @Test
    void nextBitsPutsTheFirstBitHighest() {
        BlumBlumShub single = new BlumBlumShub(SEED);
        BlumBlumShub whole = new BlumBlumShub(SEED);
        for (int count = 1; count <= 64; count++) {
            long expected = 0;
            for (int i = 0; i < count; i++) {
                expected = expected << 1 | single.nextBit();
            }
            assertThat(whole.nextBits(count)).isEqualTo(expected);
        }
        assertThatThrownBy(() -> whole.nextBits(65)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void rangesAreKeptAndEven() {
        BlumBlumShub generator = new BlumBlumShub(SEED);
        int[] counts = new int[10];
        int draws = 20_000;
        for (int i = 0; i < draws; i++) {
            counts[(int) generator.nextInRange(5, 14) - 5]++;
        }
        // 9 degrees of freedom: beyond 33.7 with probability 0.0001.
        assertThat(chiSquare(counts, draws)).isLessThan(33.7);
        assertThat(generator.nextInRange(7, 7)).isEqualTo(7);
        assertThatThrownBy(() -> generator.nextInRange(2, 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> generator.nextInRange(Long.MIN_VALUE, Long.MAX_VALUE))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void looksRandom() {
        BlumBlumShub generator = new BlumBlumShub(SEED);
        int bits = 400_000;
        int ones = 0;
        int runs = 1;
        int previous = -1;
        int[] bytes = new int[256];
        int current = 0;
        for (int i = 0; i < bits; i++) {
            int bit = generator.nextBit();
            ones += bit;
            runs += previous >= 0 && bit != previous ? 1 : 0;
            previous = bit;
            current = (current << 1 | bit) & 0xff;
            if (i % 8 == 7) {
                bytes[current]++;
            }
        }
        // Monobit and runs: within 4 standard deviations.
        assertThat(Math.abs(2.0 * ones - bits) / Math.sqrt(bits)).isLessThan(4);
        double share = (double) ones / bits;
        double expectedRuns = 2.0 * bits * share * (1 - share);
        assertThat(Math.abs(runs - expectedRuns) / (2 * Math.sqrt(bits) * share * (1 - share)))
                .isLessThan(4);
        // 255 degrees of freedom: outside of 170 to 350 with probability below 0.0001.
        assertThat(chiSquare(bytes, bits / 8)).isBetween(170.0, 350.0);
    }

    private static double chiSquare(int[] counts, int total) {
        double expected = (double) total / counts.length;
        double sum = 0;
        for (int count : counts) {
            sum += (count - expected) * (count - expected) / expected;
        }
        return sum;
    }

    @Test
    void seedsThatDifferInOneBitGiveOtherStreams() {
        for (int bit = 0; bit < 62; bit++) {
            long one = new BlumBlumShub(SEED).nextBits(64);
            long other = new BlumBlumShub(SEED ^ (1L << bit)).nextBits(64);
            assertThat(Long.bitCount(one ^ other)).as("bit %d", bit).isBetween(12, 52);
        }
    }
}

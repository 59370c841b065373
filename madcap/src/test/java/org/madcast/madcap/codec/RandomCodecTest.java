package org.madcast.madcap.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.EnumMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.madcast.madcap.Message;
import org.madcast.madcap.RandomMessages;

/**
 * Random messages there and back, and mutated ones through both codecs. Each case has a seed of its
 * own, which a failure prints; to replay it, call {@link #mutated} or {@link #message} with it.
 */
class RandomCodecTest {

    private static final int ROUND_TRIPS = 50_000;
    private static final int COMPARISONS = 20_000;
    private static final int MUTATIONS = 50_000;
    private static final int SLOW_MUTATIONS = 10_000_000;
    private static final int SLOW_ROUND_TRIPS = 500_000;

    @Test
    void everyMessageComesBack() {
        roundTrips(0, ROUND_TRIPS);
    }

    @Test
    @Tag("slow")
    void everyOneOfManyMessagesComesBack() {
        roundTrips(ROUND_TRIPS, SLOW_ROUND_TRIPS);
    }

    private static void roundTrips(long first, long end) {
        for (long seed = first; seed < end; seed++) {
            Message message = message(seed);
            DecodeResult result = MadcapDecoder.decode(MadcapEncoder.encode(message));
            if (!(result instanceof DecodeResult.Decoded(Message back)) || !back.equals(message)) {
                fail("Seed %d: %s became %s", seed, message, result);
            }
        }
    }

    @Test
    void bothCodecsWriteAndReadTheSame() {
        for (long seed = 0; seed < COMPARISONS; seed++) {
            Message message = message(seed);
            byte[] bytes = MadcapEncoder.encode(message);
            assertThat(TableCodec.describe(bytes))
                    .as("seed %d", seed)
                    .isEqualTo(Canonical.of(message));
            assertThat(TableCodec.reencode(bytes)).as("seed %d", seed).isEqualTo(bytes);
        }
    }

    @Test
    void bothCodecsJudgeMutatedBytesAlike() {
        compare(0, MUTATIONS);
    }

    @Test
    @Tag("slow")
    void bothCodecsJudgeManyMutatedBytesAlike() {
        compare(MUTATIONS, SLOW_MUTATIONS);
    }

    @Test
    void pureNoiseIsNeverAnException() {
        for (long seed = 0; seed < MUTATIONS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            byte[] noise = new byte[random.nextInt(64)];
            random.nextBytes(noise);
            if (noise.length > 4 && random.nextBoolean()) {
                noise[0] = 0;
            }
            same(seed, noise);
        }
    }

    private static void compare(long fromSeed, long toSeed) {
        Map<DecodeResult.Fault, Integer> faults = new EnumMap<>(DecodeResult.Fault.class);
        Map<DecodeResult.RejectReason, Integer> reasons =
                new EnumMap<>(DecodeResult.RejectReason.class);
        int decoded = 0;
        for (long seed = fromSeed; seed < toSeed; seed++) {
            switch (same(seed, mutated(seed))) {
                case DecodeResult.Decoded _ -> decoded++;
                case DecodeResult.Invalid invalid -> faults.merge(invalid.fault(), 1, Integer::sum);
                case DecodeResult.Rejected(DecodeResult.RejectReason reason) ->
                        reasons.merge(reason, 1, Integer::sum);
            }
        }
        assertThat(decoded).isPositive();
        assertThat(faults).containsOnlyKeys(DecodeResult.Fault.values());
        assertThat(reasons).containsOnlyKeys(DecodeResult.RejectReason.values());
    }

    private static DecodeResult same(long seed, byte[] bytes) {
        DecodeResult result = MadcapDecoder.decode(bytes);
        String expected = TableCodec.describe(bytes);
        if (!Canonical.of(result).equals(expected)) {
            fail(
                    "Seed %d, %s: %s, but %s",
                    seed, HexFormat.of().formatHex(bytes), Canonical.of(result), expected);
        }
        return result;
    }

    private static Message message(long seed) {
        return new RandomMessages(new SplittableRandom(seed)).next();
    }

    private static byte[] mutated(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] bytes = MadcapEncoder.encode(new RandomMessages(random).next());
        for (int left = random.nextInt(1, 4); left > 0; left--) {
            bytes = Mutations.apply(random, bytes);
        }
        return bytes;
    }
}

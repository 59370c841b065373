package org.madcast.client.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

final class EntropyGathererTest {

    private static Supplier<byte[]> source(int... bytes) {
        byte[] answer = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            answer[i] = (byte) bytes[i];
        }
        return () -> answer;
    }

    private static long gather(List<Supplier<byte[]>> sources) {
        return new EntropyGatherer(sources).gather();
    }

    @Test
    void everyGatheringDiffers() {
        Set<Long> seen = new HashSet<>();
        EntropyGatherer gatherer = new EntropyGatherer();
        for (int i = 0; i < 100; i++) {
            assertThat(seen.add(gatherer.gather())).isTrue();
        }
    }

    @Test
    void everySourceAndItsPlaceCount() {
        long both = gather(List.of(source(1, 2), source(3)));
        assertThat(gather(List.of(source(1, 2), source(3)))).isEqualTo(both);
        assertThat(gather(List.of(source(1), source(2, 3)))).isNotEqualTo(both);
        assertThat(gather(List.of(source(3), source(1, 2)))).isNotEqualTo(both);
        assertThat(Long.bitCount(both ^ gather(List.of(source(1, 2), source(2)))))
                .isBetween(12, 52);
    }
}

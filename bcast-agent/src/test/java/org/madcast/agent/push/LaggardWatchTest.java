package org.madcast.agent.push;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Who is left behind, and who is not. */
class LaggardWatchTest {

    private static final int MIB = 1 << 20;
    private static final int SAMPLES = 60;

    private interface Lag {
        long bytes(int node, int sample);
    }

    private static LaggardWatch watch(int nodes, Lag lag) {
        LaggardWatch watch = new LaggardWatch(nodes);
        long sender = 100L * MIB;
        for (int sample = 0; sample < SAMPLES; sample++) {
            long[] bytes = new long[nodes];
            for (int node = 0; node < nodes; node++) {
                bytes[node] = sender - lag.bytes(node, sample);
            }
            watch.add(sender, bytes);
            sender += MIB;
        }
        return watch;
    }

    @Test
    void theNodeThatAllOthersWaitForIsFound() {
        LaggardWatch watch = watch(5, (node, _) -> node == 3 ? 2L * MIB : 100_000L * node);
        assertThat(watch.laggard()).isEqualTo(3);
        assertThat(watch.slowest()).isEqualTo(3);
        assertThat(watch.bytesPerSample()).isEqualTo(MIB);
    }

    @Test
    void whereAllLagAlikeNobodyIsToBlame() {
        assertThat(watch(4, (node, _) -> 3L * MIB + node).laggard()).isEqualTo(-1);
    }

    @Test
    void theLastOfThoseThatKeepUpIsNotBlamed() {
        Random random = new Random(5);
        LaggardWatch watch = watch(6, (node, _) -> node == 2 ? 300_000 : random.nextInt(100_000));
        assertThat(watch.slowest()).isEqualTo(2);
        assertThat(watch.laggard()).isEqualTo(-1);
    }

    @Test
    void aShortPauseIsForgiven() {
        LaggardWatch watch =
                watch(4, (node, sample) -> node == 1 && sample > SAMPLES - 6 ? 2L * MIB : 90_000);
        assertThat(watch.laggard()).isEqualTo(-1);
    }

    @Test
    void atFirstNothingIsKnown() {
        LaggardWatch watch = new LaggardWatch(2);
        watch.add(10L * MIB, new long[] {0, 10L * MIB});
        assertThat(watch.laggard()).isEqualTo(-1);
        assertThat(new LaggardWatch(1).slowest()).isZero();
    }
}

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
        assertThat(watch.laggards(false)).containsExactly(3);
        assertThat(watch.slowest()).isEqualTo(3);
        assertThat(watch.bytesPerSample()).isEqualTo(MIB);
    }

    @Test
    void aFewThatLagAlikeAreFoundTogether() {
        LaggardWatch watch = watch(6, (node, _) -> node % 3 == 1 ? 2L * MIB + node : 50_000);
        assertThat(watch.laggards(false)).containsExactly(1, 4);
    }

    @Test
    void whereDataGoFromNodeToNodeTheFirstThatLagsIsToBlame() {
        Lag lag = (node, _) -> node >= 2 ? 2L * MIB + node : 50_000;
        assertThat(watch(8, lag).laggards(true)).containsExactly(2);
        assertThat(watch(8, lag).laggards(false)).isEmpty();
    }

    @Test
    void whereAllLagAlikeNobodyIsToBlame() {
        assertThat(watch(4, (node, _) -> 3L * MIB + node).laggards(false)).isEmpty();
    }

    @Test
    void theLastOfThoseThatKeepUpIsNotBlamed() {
        Random random = new Random(5);
        LaggardWatch watch = watch(6, (node, _) -> node == 2 ? 300_000 : random.nextInt(100_000));
        assertThat(watch.slowest()).isEqualTo(2);
        assertThat(watch.laggards(false)).isEmpty();
    }

    @Test
    void aPauseIsForgiven() {
        int pause = LaggardWatch.SAMPLES - 1;
        LaggardWatch watch =
                watch(
                        4,
                        (node, sample) ->
                                node == 1 && sample >= SAMPLES - pause ? 3L * MIB : 90_000);
        assertThat(watch.laggards(false)).isEmpty();
    }

    @Test
    void atFirstNothingIsKnown() {
        LaggardWatch watch = new LaggardWatch(2);
        for (int i = 1; i < LaggardWatch.SAMPLES; i++) {
            watch.add(10L * MIB, new long[] {0, 10L * MIB});
            assertThat(watch.laggards(false)).isEmpty();
        }
        watch.add(10L * MIB, new long[] {0, 10L * MIB});
        assertThat(watch.laggards(false)).containsExactly(0);
        assertThat(new LaggardWatch(1).slowest()).isZero();
    }
}

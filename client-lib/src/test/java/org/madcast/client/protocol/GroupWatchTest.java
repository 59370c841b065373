package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.madcast.netsim.RandomStream;
import org.madcast.netsim.Seeds;

class GroupWatchTest {

    private final GroupWatch watch = new GroupWatch(0);

    @Test
    void manyRepairsInAShortTimeAreABurst() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(watch.repaired(GroupWatch.SILENCE_NS - 1)).isFalse();
        }
    }

    @Test
    void fewRepairsInALongTimeAreAQuietJob() {
        for (int i = 1; i < GroupWatch.REPAIRS; i++) {
            assertThat(watch.repaired(i * GroupWatch.SILENCE_NS)).isFalse();
        }
        assertThat(watch.repaired(GroupWatch.REPAIRS * GroupWatch.SILENCE_NS)).isTrue();
    }

    @Test
    void whateverIsHeardOfTheGroupBeginsItAnew() {
        for (int round = 1; round < 100; round++) {
            long nowNs = round * GroupWatch.SILENCE_NS;
            for (int i = 1; i < GroupWatch.REPAIRS; i++) {
                assertThat(watch.repaired(nowNs)).isFalse();
            }
            watch.heard(nowNs);
        }
    }

    /** A third lost, at 1,000 fragments each second: a bad network, but multicast works. */
    @Test
    void lossAloneIsNotTakenForDeath() {
        Seeds.forEach(
                20,
                seed -> {
                    RandomStream random = RandomStream.of(seed, "loss");
                    GroupWatch lossy = new GroupWatch(0);
                    for (int i = 0; i < 20_000; i++) {
                        long nowNs = i * 1_000_000L;
                        if (random.chance(0.3)) {
                            assertThat(lossy.repaired(nowNs)).isFalse();
                        } else {
                            lossy.heard(nowNs);
                        }
                    }
                });
    }
}

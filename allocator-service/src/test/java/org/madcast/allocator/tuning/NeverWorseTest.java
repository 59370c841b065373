package org.madcast.allocator.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Where no delay helps the tuner costs a site no more than 2 % of what its ranks spend in calls,
 * from its first observation on: of the first 200 observations' calls together, and of all calls
 * from then on, at each moment.
 */
class NeverWorseTest {

    private static final double MOST = 0.02;
    private static final int YOUNG = 200;

    @Test
    void whereNoDelayHelpsItCostsNextToNothing() {
        assertNeverWorse(3, 300, 1, MOST);
        assertNeverWorse(7, 250, 1, MOST);
    }

    @Tag("slow")
    @Test
    void whereNoDelayHelpsItCostsNextToNothingForHours() {
        for (int receivers : List.of(1, 3, 7, 15)) {
            for (int seed = 1; seed <= 4; seed++) {
                assertNeverWorse(receivers, 3_000, seed, MOST);
            }
        }
    }

    private static void assertNeverWorse(int receivers, int observations, long seed, double most) {
        Map<String, World> worlds = Worlds.hopelessUnderLoad(receivers, observations);
        worlds.forEach((name, world) -> {
            Life tuned = Life.tuned(world, seed, observations);
            Life none = Life.fixed(world, seed, observations, 0);
            for (int i = 1; i <= observations; i++) {
                double allowed = most * none.spentNs(Math.max(i, YOUNG));
                assertThat(tuned.spentNs(i) - none.spentNs(i))
                        .as(name + ", seed " + seed + ", observation " + i)
                        .isLessThanOrEqualTo(allowed);
            }
        });
    }

    /** What a repair takes depends on who else is late: less than what all need spares most. */
    @Test
    void findsTheShorterDelayThatSparesMoreThanTheOneThatServesAll() {
        World world = Worlds.standingStill(24 * World.MS);
        assertThat(gained(world, 100, 8)).isGreaterThan(0.6);
        assertThat(gained(world, 1000, 8)).isGreaterThan(0.75);
    }

    @Test
    void gainsWhereADelayHelps() {
        assertThat(gained(Worlds.lateLosing(3, 3, 5 * World.MS, 12 * World.MS), 100, 6))
                .isGreaterThan(0.9);
        assertThat(gained(Worlds.lateLosing(7, 6, 5 * World.MS, 12 * World.MS), 100, 6))
                .isGreaterThan(0.9);
        assertThat(gained(Worlds.lateLosing(7, 7, 12 * World.MS, 25 * World.MS), 100, 13))
                .isGreaterThan(0.85);
    }

    /** Also where calls differ by half from one observation to the next. */
    @Test
    void gainsUnderUnevenLoad() {
        World world =
                Worlds.lateLosing(7, 7, 5 * World.MS, 12 * World.MS).with(World.restless(0.5));
        assertThat(gained(world, 200, 6)).isGreaterThan(0.8);
    }

    /** The part of what that pinned delay spares. */
    private static double gained(World world, int observations, long pinnedMs) {
        double none = Life.fixed(world, 1, observations, 0).spentNs(observations);
        double pinned =
                Life.fixed(world, 1, observations, pinnedMs * World.MS).spentNs(observations);
        double tuned = Life.tuned(world, 1, observations).spentNs(observations);
        return (none - tuned) / (none - pinned);
    }
}

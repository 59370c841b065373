package org.madcast.netsim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated
class SeedsTest {

    private String seedBefore = "";
    private String seedsBefore = "";

    @BeforeEach
    void forgetProperties() {
        seedBefore = System.getProperty(Seeds.SEED_PROPERTY, "");
        seedsBefore = System.getProperty(Seeds.SEEDS_PROPERTY, "");
        System.clearProperty(Seeds.SEED_PROPERTY);
        System.clearProperty(Seeds.SEEDS_PROPERTY);
    }

    @AfterEach
    void restoreProperties() {
        restore(Seeds.SEED_PROPERTY, seedBefore);
        restore(Seeds.SEEDS_PROPERTY, seedsBefore);
    }

    private static void restore(String property, String value) {
        if (value.isEmpty()) {
            System.clearProperty(property);
        } else {
            System.setProperty(property, value);
        }
    }

    private static List<Long> seedsRun(int count) {
        List<Long> seeds = new ArrayList<>();
        Seeds.forEach(count, seeds::add);
        return seeds;
    }

    @Test
    void seedsCountFromOneUnlessThePropertiesSayOtherwise() {
        assertThat(seedsRun(3)).containsExactly(1L, 2L, 3L);
        System.setProperty(Seeds.SEEDS_PROPERTY, "5");
        assertThat(seedsRun(3)).containsExactly(1L, 2L, 3L, 4L, 5L);
        System.setProperty(Seeds.SEED_PROPERTY, "12345");
        assertThat(seedsRun(3)).containsExactly(12345L);
    }

    @Test
    void aFailureSaysHowToReplayIt() {
        IllegalStateException failure = new IllegalStateException("broken");
        assertThatThrownBy(() ->
                        Seeds.forEach(
                                10,
                                seed -> {
                                    if (seed == 4) {
                                        throw failure;
                                    }
                                }))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("-Dmadcast.seed=4")
                .hasMessageContaining("broken")
                .hasCause(failure);
    }
}

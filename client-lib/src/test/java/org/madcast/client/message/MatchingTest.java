package org.madcast.client.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.madcast.client.message.Matching.Arrival;
import org.madcast.netsim.RandomStream;
import org.madcast.netsim.Seeds;

/** Matching beside two plain lists that are searched from their beginnings. */
class MatchingTest {

    private static final int ANY = Matching.ANY;
    private static final int STEPS = 300;

    private final Matching<String, String> matching = new Matching<>();

    @Test
    void theOldestReceiveThatFitsGetsTheMessage() {
        assertThat(matching.post(1, ANY, 7, "A")).isNull();
        assertThat(matching.post(1, 2, 7, "B")).isNull();
        assertThat(matching.arrive(1, 2, 7, "first")).isEqualTo("A");
        assertThat(matching.arrive(1, 2, 7, "second")).isEqualTo("B");
        assertThat(matching.posted()).isZero();
    }

    @Test
    void anotherContextOrTagDoesNotFit() {
        assertThat(matching.post(1, ANY, 7, "A")).isNull();
        assertThat(matching.arrive(2, 0, 7, "another context")).isNull();
        assertThat(matching.arrive(1, 0, 8, "another tag")).isNull();
        assertThat(matching.unexpected()).isEqualTo(2);
        assertThat(matching.removeAll(2)).hasSize(1);
        assertThat(matching.unexpected()).isEqualTo(1);
    }

    @Test
    void aFoundMessageIsNoOtherReceives() {
        assertThat(matching.arrive(1, 0, 7, "first")).isNull();
        assertThat(matching.arrive(1, 0, 7, "second")).isNull();
        Arrival<String> found = Objects.requireNonNull(matching.find(1, ANY, ANY));
        matching.remove(found);
        assertThat(found.message()).isEqualTo("first");
        assertThat(Objects.requireNonNull(matching.post(1, 0, 7, "A")).message())
                .isEqualTo("second");
    }

    @Test
    void aCancelledReceiveGetsNothing() {
        String receive = "A";
        assertThat(matching.post(1, ANY, ANY, receive)).isNull();
        assertThat(matching.cancel(1, ANY, ANY, receive)).isTrue();
        assertThat(matching.cancel(1, ANY, ANY, receive)).isFalse();
        assertThat(matching.arrive(1, 3, 3, "message")).isNull();
    }

    @Test
    void likeTwoPlainLists() {
        Seeds.forEach(500, MatchingTest::compare);
    }

    /** With every other seed many messages wait: more than are searched without an index. */
    private static void compare(long seed) {
        boolean many = seed % 2 == 0;
        RandomStream random = RandomStream.of(seed, "matching");
        Matching<Integer, Integer> tested = new Matching<>();
        MatchingModel model = new MatchingModel();
        for (int step = 0; step < STEPS; step++) {
            int context = random.nextInt(2);
            int source = random.nextInt(3);
            int tag = random.nextInt(many ? 60 : 3);
            int wantedSource = random.nextInt(3) == 0 ? ANY : source;
            int wantedTag = random.nextInt(3) == 0 ? ANY : tag;
            switch (random.nextInt(many ? 15 : 6)) {
                case 0, 1 -> {
                    Integer name = step + 1000; // beyond the cached boxes: identity matters
                    Arrival<Integer> got = tested.post(context, wantedSource, wantedTag, name);
                    assertThat(got == null ? -1 : got.message())
                            .isEqualTo(model.post(context, wantedSource, wantedTag, name));
                }
                case 2 -> {
                    Arrival<Integer> got = tested.find(context, wantedSource, wantedTag);
                    assertThat(got == null ? -1 : got.message())
                            .isEqualTo(model.find(context, wantedSource, wantedTag));
                    if (got != null) {
                        tested.remove(got);
                        model.messages.removeIf(it -> it[3] == got.message());
                    }
                }
                case 3 -> {
                    if (!model.receives.isEmpty()) {
                        int[] it = model.receives.remove(random.nextInt(model.receives.size()));
                        assertThat(tested.cancel(it[0], it[1], it[2], it[3])).isTrue();
                    }
                }
                default -> {
                    Integer got = tested.arrive(context, source, tag, step);
                    assertThat(got == null ? -1 : got)
                            .isEqualTo(model.arrive(context, source, tag, step));
                }
            }
            assertThat(tested.posted()).isEqualTo(model.receives.size());
            assertThat(tested.unexpected()).isEqualTo(model.messages.size());
        }
    }
}

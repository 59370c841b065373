package org.madcast.allocator.madcap;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.madcast.allocator.scope.AddressPool;
import org.madcast.allocator.scope.PoolRange;
import org.madcast.allocator.scope.PortRange;
import org.madcast.allocator.scope.Scope;
import org.madcast.allocator.scope.ScopePolicy;

/** Whatever an operator writes about a scope, clients are told something of it, and of others. */
class ServedZonesTest {

    private static final String EMOJI = "\uD83D\uDE80";

    @Test
    void aNameIsCutBetweenCharacters() {
        String before = "a".repeat(79);
        assertThat(name(before + EMOJI + "b")).isEqualTo(before);
        assertThat(name(EMOJI.repeat(90))).isEqualTo(EMOJI.repeat(40));
        assertThat(name("\u4e16".repeat(90)).getBytes(StandardCharsets.UTF_8))
                .hasSizeLessThanOrEqualTo(255);
    }

    @Test
    void blanksAreNoName() {
        assertThat(name(" ".repeat(80) + "after them")).isEqualTo("after them");
        assertThat(name(" ".repeat(200))).isEqualTo("one");
        assertThat(name("")).isEqualTo("one");
    }

    @Test
    void aScopeThatCannotBeToldOfIsAComplaintAndTheOthersAreServed() {
        ServedZones.Configured configured =
                ServedZones.of(
                        List.of(
                                scope("one", "half a \uD83D", "239.130.8.0-239.130.9.255"),
                                scope("two", "fine", "239.130.10.0-239.130.11.255")),
                        List.of("one", "two"),
                        Map.of("two", "one"));
        assertThat(configured.zones().zones())
                .extracting(ServedZones.Served::scope)
                .containsExactly("two");
        assertThat(configured.complaints()).singleElement().asString().startsWith("scope one: ");
    }

    private static String name(String description) {
        ServedZones.Configured configured =
                ServedZones.of(
                        List.of(scope("one", description, "239.130.8.0-239.130.9.255")),
                        List.of("one"),
                        Map.of());
        assertThat(configured.complaints()).isEmpty();
        return configured.zones().scopeZones().getFirst().names().getFirst().name();
    }

    private static Scope scope(String name, String description, String range) {
        return new Scope(
                name,
                description,
                List.of(range),
                AddressPool.of(List.of(PoolRange.parse(range)), List.of(), true),
                new PortRange(5000, 5000, 1),
                1,
                "default",
                false,
                Duration.ofSeconds(60),
                Duration.ofHours(1),
                1,
                ScopePolicy.OPEN);
    }
}

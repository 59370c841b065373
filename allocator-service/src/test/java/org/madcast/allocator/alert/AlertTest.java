package org.madcast.allocator.alert;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.madcast.allocator.alert.Alert.Kind;

class AlertTest {

    private static Alert of(Kind kind, int number) {
        return new Alert(kind, "subject " + number, "it is so", "do this", null);
    }

    @Test
    void manyOfOneKindHideNoOther() {
        List<Alert> pools = IntStream.range(0, 40).mapToObj(i -> of(Kind.POOL_FULL, i)).toList();
        Alert squatter = of(Kind.FOREIGN_TRAFFIC, 0);
        List<Alert> all = Stream.concat(pools.stream(), Stream.of(squatter)).toList();
        assertThat(Alert.firstOfEachKind(all, 3))
                .containsExactly(pools.get(0), pools.get(1), pools.get(2), squatter);
        assertThat(Alert.firstOfEachKind(all, 40)).isEqualTo(all);
    }
}

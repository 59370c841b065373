package org.madcast.client.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ContextsTest {

    private final Contexts contexts = new Contexts();
    private final List<String> aborted = new ArrayList<>();

    private final Contexts.Context member =
            new Contexts.Context() {
                @Override
                public boolean isMember(int rank) {
                    return rank == 1;
                }

                @Override
                public void onAbort(byte[] why) {
                    aborted.add(new String(why, java.nio.charset.StandardCharsets.UTF_8));
                }
            };

    @Test
    void twoCommunicatorsOfOneContextAreRefusedRatherThanMixedUp() {
        contexts.open(member, 1, 2);
        assertThatThrownBy(() -> contexts.open(member, 3, 2))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the context 0000000000000002 is that of another communicator");
        assertThat(contexts.isMember(3, 1)).isFalse();
        contexts.close(2);
        contexts.open(member, 3, 2);
        assertThat(contexts.isMember(3, 1)).isTrue();
        assertThat(contexts.isClosed(2)).isFalse();
    }

    @Test
    void aFailureWaitsForTheContextUnlessThatWasClosed() {
        contexts.onAbort(5, new byte[] {'a'});
        contexts.open(member, 5);
        assertThat(aborted).containsExactly("a");
        contexts.close(5);
        contexts.onAbort(5, new byte[] {'b'});
        contexts.open(member, 5);
        assertThat(aborted).containsExactly("a");
    }

    @Test
    void theContextsThatWereClosedLastAreKnown() {
        for (int i = 0; i < 10_000; i++) {
            contexts.open(member, i);
            contexts.close(i);
        }
        assertThat(contexts.isClosed(9_999)).isTrue();
        assertThat(contexts.isClosed(9_000)).isTrue();
        assertThat(contexts.isClosed(0)).isFalse();
    }
}

package org.madcast.agent.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How nodes are named. */
class NodeNameTest {

    @Test
    void listsRangesAndPorts() {
        assertThat(NodeName.parse("h1,n[08-11]-x,10.0.0.7:9000"))
                .extracting(NodeName::text)
                .containsExactly("h1", "n08-x", "n09-x", "n10-x", "n11-x", "10.0.0.7:9000");
        assertThat(NodeName.parse("a,b:9"))
                .extracting(node -> node.address().getPort())
                .containsExactly(8731, 9);
        assertThat(NodeName.parse("r[1-2]h[1-2]"))
                .extracting(NodeName::text)
                .containsExactlyInAnyOrder("r1h1", "r1h2", "r2h1", "r2h2");
    }

    @Test
    void aNodeThatIsNamedTwiceIsOneNode() {
        assertThat(NodeName.parse("h[1-3],h2")).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "h1,",
                ":80",
                "h:x",
                "h:70000",
                "h[5-3]",
                "h[1-99999999999]",
                "a:b:1",
                "h[1-",
                "h1]",
                "h[a-b]",
                "a b"
            })
    void nonsenseIsNamed(String list) {
        assertThatThrownBy(() -> NodeName.parse(list))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'");
    }
}

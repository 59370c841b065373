package org.madcast.client.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What another program wrote is read, or is an IOException. */
final class JsonFieldsTest {

    @ParameterizedTest
    @ValueSource(strings = {"[", "{\"a\":"})
    void whatIsNestedTooDeeplyIsRefusedBeforeItIsRead(String opening) {
        for (int depth : new int[] {40, 100_000}) {
            assertThatThrownBy(() -> JsonFields.parse("{\"a\":" + opening.repeat(depth)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("nested too deeply");
        }
    }

    @Test
    void bracketsOfTextsNestNothing() throws IOException {
        String brackets = "[{".repeat(100);
        JsonFields fields =
                JsonFields.parse(
                        "{\"a\":\"\\\"%s\\\\\",\"b\":[[{\"c\":\"x\"}]]}".formatted(brackets));
        assertThat(fields.text("a")).isEqualTo("\"" + brackets + "\\");
        assertThat(fields.has("b")).isTrue();
    }

    @Test
    void manyThingsBesideEachOtherAreNotNested() throws IOException {
        String many = "{},".repeat(1000) + "{}";
        assertThat(JsonFields.parse("{\"a\":[" + many + "]}").children("a")).hasSize(1001);
    }
}

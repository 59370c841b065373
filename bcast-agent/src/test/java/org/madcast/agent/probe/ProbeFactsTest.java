package org.madcast.agent.probe;

import static org.assertj.core.api.Assertions.assertThat;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import com.grack.nanojson.JsonWriter;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;

/** The facts travel between agents of several versions, which ignore fields they do not know. */
class ProbeFactsTest {

    /** What agents sent before they reported their congestion control. */
    private static final String EARLIER =
            """
            {"node":"h1","interface":"eth1","leadingInterface":"eth0","address":"10.0.0.7",\
            "port":40001,"mtuBytes":9000,"receiveBufferBytes":4194304,"hearsQueriers":true}\
            """;

    private static final ProbeFacts FACTS = facts("bbr");

    private static ProbeFacts facts(String congestionControl) {
        return new ProbeFacts(
                "h1",
                "eth1",
                "eth0",
                InetAddress.ofLiteral("10.0.0.7"),
                40_001,
                9000,
                4 << 20,
                true,
                congestionControl);
    }

    @Test
    void whatIsWrittenIsReadBack() throws Exception {
        String text = JsonWriter.string(FACTS.toJson());
        assertThat(ProbeFacts.of(JsonParser.object().from(text))).isEqualTo(FACTS);
    }

    @Test
    void anEarlierAgentsCongestionControlIsUnknown() throws Exception {
        assertThat(ProbeFacts.of(JsonParser.object().from(EARLIER))).isEqualTo(facts(""));
    }

    @Test
    void anEarlierProberFindsAllFieldsThatItReads() throws Exception {
        JsonObject sent = JsonParser.object().from(JsonWriter.string(FACTS.toJson()));
        assertThat(sent.remove("congestionControl")).isEqualTo("bbr");
        assertThat(sent).isEqualTo(JsonParser.object().from(EARLIER));
    }

    @Test
    void everyVersionOfBbrPaces() {
        assertThat(facts("bbr").pacesTcp()).isTrue();
        assertThat(facts("bbr2").pacesTcp()).isTrue();
        assertThat(facts("cubic").pacesTcp()).isFalse();
        assertThat(facts("").pacesTcp()).isFalse();
    }
}

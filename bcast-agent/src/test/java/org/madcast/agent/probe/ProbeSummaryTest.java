package org.madcast.agent.probe;

import static org.assertj.core.api.Assertions.assertThat;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import org.junit.jupiter.api.Test;

/** The service refuses fields that it does not know, so it must get those that it does. */
class ProbeSummaryTest {

    @Test
    void saysWhatTheServiceKnowsAndNoMore() throws Exception {
        JsonObject report =
                JsonParser.object()
                        .from(
                                """
                                {"ok":false,"group":"239.195.0.7:5000","ttl":1,"seconds":4.5,
                                 "findings":[{"trouble":"no-multicast","nodes":["h7"],
                                    "what":"this machine does not reach h7","cure":"look"}],
                                 "nodes":[{"node":"this machine","interface":"eth0","port":7,
                                    "hears":["h7"],"largestDatagramBytes":1472,"overflowed":0},
                                   {"node":"h7","interface":"eth1","mtuBytes":1500,
                                    "hears":["this machine"],"largestDatagramBytes":0,
                                    "bitsPerSecond":9.5E7,"lostShare":0.25}],
                                 "queries":{"10.0.0.254":2},"queriesAudible":true}
                                """);
        JsonObject news = ProbeSummary.of(report, "this machine", "h0");
        assertThat(news)
                .containsOnlyKeys(
                        "id",
                        "group",
                        "ttl",
                        "seconds",
                        "findings",
                        "nodes",
                        "queries",
                        "queriesAudible");
        JsonObject first = news.getArray("nodes").getObject(0);
        assertThat(first)
                .containsOnlyKeys("node", "interfaceName", "hears", "largestDatagramBytes");
        assertThat(first.getString("node")).isEqualTo("h0");
        JsonObject second = news.getArray("nodes").getObject(1);
        assertThat(second.getArray("hears").getString(0)).isEqualTo("h0");
        assertThat(second.getDouble("lostShare")).isEqualTo(0.25);
        assertThat(news.getArray("findings").getObject(0).getString("what"))
                .isEqualTo("h0 does not reach h7");
    }
}

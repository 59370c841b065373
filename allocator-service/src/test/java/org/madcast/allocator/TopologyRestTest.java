package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Topologies that the service keeps, and the ranks that get them. */
class TopologyRestTest {

    private final Rest rest = RunningService.shared().rest();

    /** Other tests use the same service: hosts that only this one has. */
    private final String mark = UUID.randomUUID().toString().substring(0, 8);

    private final String name = "net-" + mark;
    private final List<String> made = new ArrayList<>();

    private static final String TREE =
            """
            {"switches": ["s0", "s1", "s2"],
             "cables": [{"one": "s0", "other": "s1", "bitsPerSecond": 20000000},
                        {"one": "s0", "other": "s2", "bitsPerSecond": 100000000}],
             "hosts": [{"at": "s1", "bitsPerSecond": 1000000000, "names": ["aM", "bM"]},
                       {"at": "s2", "bitsPerSecond": 1000000000, "names": ["CM", "dM"]}],
             "addresses": {"dM": ["fd00::M", "other.M"]}}
            """;

    private String tree() {
        return TREE.replace("::M", "::" + mark.substring(0, 4))
                .replaceAll("([abCd.])M", "$1" + mark);
    }

    private Rest.Answer put(String body) {
        made.add(name);
        return rest.put("/v1/topologies/" + name, body);
    }

    @AfterEach
    void remove() {
        made.forEach(each -> rest.delete("/v1/topologies/" + each));
    }

    @Test
    void isKeptReplacedListedAndRemoved() {
        Rest.Answer first = put(tree());
        assertThat(first.status()).as(first.text()).isEqualTo(201);
        assertThat(first.json().path("hosts").asInt()).isEqualTo(4);
        assertThat(put(tree().replace("20000000", "30000000")).status()).isEqualTo(200);
        JsonNode kept = rest.get("/v1/topologies/" + name).json();
        assertThat(kept.at("/cables/0/bitsPerSecond").asLong()).isEqualTo(30_000_000);
        assertThat(kept.at("/hosts/1/names/0").asString()).isEqualTo("C" + mark);
        assertThat(names()).contains(name);
        JsonNode audited = rest.get("/v1/audit?what=topology.set").json();
        assertThat(audited.toString()).contains("\"subject\":\"" + name + "\"");
        assertThat(rest.delete("/v1/topologies/" + name).status()).isEqualTo(204);
        assertThat(rest.delete("/v1/topologies/" + name).problem()).isEqualTo("no-such-topology");
        assertThat(rest.get("/v1/topologies/" + name).problem()).isEqualTo("no-such-topology");
        assertThat(names()).doesNotContain(name);
    }

    private List<String> names() {
        JsonNode items = rest.get("/v1/topologies").json().path("items");
        return StreamSupport.stream(items.spliterator(), false)
                .map(it -> it.path("name").asString())
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    "other": "s2"    | "other": "s9" | cables[1].other is s9, which is no switch
                    "one": "s0", "other": "s2" | "one": "s1", "other": "s0" | cables[1] closes a cycle: s1 and s0 are connected already
                    , "s2"]          | , "s2", "s3"] | switches[3] is s3, which is not connected to s0
                    "at": "s2"       | "at": "s9"    | hosts[1].at is s9, which is no switch
                    "CM", "dM"       | "aM", "dM"    | hosts[1].names[0] has aM, which is there already
                    "dM": ["fd00::M" | "eM": ["fd00::M" | addresses[eM] is of no host
                    ["fd00::M"       | ["aM"         | addresses[dM] has aM, which stands for another host
                    20000000         | 0             | cables[0].bitsPerSecond must be greater than 0
                    "aM"             | "a M"         | hosts[0].names[0] must match
                    """)
    void whatIsNoTreeIsRefused(String right, String wrong, String why) {
        Rest.Answer refused = put(TREE.replace(right, wrong));
        assertThat(refused.status()).as(refused.text()).isEqualTo(400);
        assertThat(refused.json().path("errors").toString() + refused.string("detail"))
                .contains(why.split(" ", 2)[1])
                .contains(why.split(" ", 2)[0]);
    }

    @Test
    void ranksOnItsHostsGetItAndOthersDoNot() {
        assertThat(put(tree()).status()).isEqualTo(201);
        // By an address, in the spelling of ranks, by a name with its domain, in other capitals.
        String address =
                "fd00:0:0:0:0:0:0:"
                        + Integer.toHexString(Integer.parseInt(mark.substring(0, 4), 16));
        JsonNode met =
                meet("x", address, "c" + mark + ".example.org", "10.9.9.2", "b" + mark, "10.9.9.3");
        JsonNode topology = met.path("topology");
        assertThat(topology.path("name").asString()).as(met.toString()).isEqualTo(name);
        assertThat(topology.at("/tree/switches").size()).isEqualTo(3);
        assertThat(topology.at("/tree/hosts").toString())
                .contains("\"b" + mark, "\"C" + mark, "\"d" + mark)
                .doesNotContain("\"a" + mark);
        assertThat(topology.path("ranks").toString()).isEqualTo("[2,1,0]");
        assertThat(meet("a" + mark, "10.9.9.1", "elsewhere", "10.9.9.4").has("topology")).isFalse();
    }

    @Test
    void whoHasMetKeepsIt() {
        put(tree());
        String id = meet("a" + mark, "10.9.9.1", "b" + mark, "10.9.9.2").path("id").asString();
        rest.delete("/v1/topologies/" + name);
        JsonNode later = rest.get("/v1/communicators/" + id).json();
        assertThat(later.at("/topology/name").asString()).isEqualTo(name);
        assertThat(meet("a" + mark, "10.9.9.1", "b" + mark, "10.9.9.2").has("topology")).isFalse();
    }

    /** Ranks on these hosts with these addresses. */
    private JsonNode meet(String... hosts) {
        int size = hosts.length / 2;
        String id =
                rest.post(
                                "/v1/communicators",
                                "{\"job\":\"%s\",\"name\":\"world\",\"size\":%d}"
                                        .formatted(RunningService.newJob(), size))
                        .string("id");
        for (int rank = 0; rank < size; rank++) {
            Rest.Answer joined =
                    rest.put(
                            "/v1/communicators/%s/members/%d".formatted(id, rank),
                            """
                            {"address":"%s","port":5000,"host":"%s","pid":1,
                             "receiveBufferBytes":1000000,"datagramBytes":1472,"instance":"%s"}
                            """
                                    .formatted(
                                            hosts[2 * rank + 1],
                                            hosts[2 * rank],
                                            UUID.randomUUID()));
            assertThat(joined.status()).as(joined.text()).isEqualTo(200);
        }
        return rest.get("/v1/communicators/" + id + "?waitSeconds=10").json();
    }

    @Test
    void aPageDrawsIt() {
        put(tree());
        assertThat(rest.get("/topologies").text()).contains("href=\"/topologies/" + name);
        String page = rest.get("/topologies/" + name).text();
        assertThat(page).contains("<svg").contains("20.0 Mbit/s").contains("<title>a" + mark);
        assertThat(rest.get("/topologies/none").status()).isEqualTo(404);
    }
}

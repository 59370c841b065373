package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.madcast.allocator.alert.Alert;
import org.madcast.allocator.alert.AlertService;

/** What agents tell: nodes, pushes, probes; and what operators are alerted to because of it. */
class FleetRestTest {

    private final RunningService service = RunningService.shared();
    private final Rest rest = service.rest();

    private Rest.Answer heartbeat(String name, int intervalSeconds, boolean leaving) {
        return rest.post(
                "/v1/nodes",
                """
                {"name":"%s","address":"10.0.0.7:8731","intervalSeconds":%d,"leaving":%s,
                 "active":1,"complete":4,"broken":2,"files":9,"bytes":1048576}
                """
                        .formatted(name, intervalSeconds, leaving));
    }

    private String page(String path) {
        return rest.get(path).text();
    }

    @Test
    void anAgentIsThereUntilItLeaves() {
        String name = "node-" + UUID.randomUUID();
        assertThat(heartbeat(name, 60, false).status()).isEqualTo(204);
        assertThat(page("/v1/nodes")).contains(name);
        assertThat(page("/nodes?q=" + name)).contains(name, "10.0.0.7:8731", "1.0 MiB");
        assertThat(heartbeat(name, 60, true).status()).isEqualTo(204);
        assertThat(page("/v1/nodes")).doesNotContain(name);
        assertThat(page("/nodes?q=" + name)).contains("No node has such a name or address");
    }

    @Test
    void agentsAreListedFromAnyNameOn() {
        String name = "node-" + UUID.randomUUID();
        heartbeat(name + "-1", 60, false);
        heartbeat(name + "-2", 60, false);
        assertThat(page("/v1/nodes?after=" + name)).contains(name + "-1", name + "-2");
        assertThat(page("/v1/nodes?after=" + name + "-1"))
                .contains(name + "-2")
                .doesNotContain(name + "-1");
        assertThat(rest.get("/v1/nodes?after=" + "x".repeat(256)).status()).isEqualTo(400);
        heartbeat(name + "-1", 60, true);
        heartbeat(name + "-2", 60, true);
    }

    @Test
    void anAgentThatFallsSilentIsAnAlertUntilItSpeaks() {
        String name = "node-" + UUID.randomUUID();
        heartbeat(name, 1, false);
        await().atMost(Duration.ofSeconds(60)).until(() -> alerted(name, Alert.Kind.NODE_SILENT));
        assertThat(page("/nodes?q=" + name)).contains("silent, last heard");
        heartbeat(name, 3600, false);
        await().atMost(Duration.ofSeconds(60)).until(() -> !alerted(name, Alert.Kind.NODE_SILENT));
        heartbeat(name, 3600, true);
    }

    private boolean alerted(String subject, Alert.Kind kind) {
        return service.part(AlertService.class).current().stream()
                .anyMatch(it -> it.subject().equals(subject) && it.kind() == kind);
    }

    private Rest.Answer push(UUID id, int sequence, String state, long doneBytes) {
        return rest.post(
                "/v1/pushes",
                """
                {"id":"%s","sequence":%d,"sender":"h0","destination":"/srv/data","state":"%s",
                 "files":3,"bytes":1000000000,"doneBytes":%d,"streamBytes":%d,"rounds":1,
                 "nodes":[{"node":"h1","state":"running","streamBytes":%d},
                    {"node":"h2","state":"lost","streamBytes":0,"reason":"its agent died"}]}
                """
                        .formatted(id, sequence, state, doneBytes, doneBytes, doneBytes));
    }

    @Test
    void newsOfAPushReplaceOlderOnesOnly() {
        UUID id = UUID.randomUUID();
        assertThat(push(id, 1, "RUNNING", 250_000_000).status()).isEqualTo(204);
        assertThat(push(id, 3, "RUNNING", 750_000_000).status()).isEqualTo(204);
        assertThat(push(id, 2, "RUNNING", 500_000_000).status()).isEqualTo(204);
        Rest.Answer found = rest.get("/v1/pushes/" + id);
        assertThat(found.json().at("/push/doneBytes").asLong()).isEqualTo(750_000_000);
        assertThat(page("/pushes")).contains(id.toString());
        assertThat(page("/pushes/" + id))
                .contains("37 %", "75 %", "its agent died", "1 of 2", "Nodes taking part");
        push(id, 4, "PARTLY", 1_000_000_000);
        assertThat(page("/pushes/" + id)).contains("parts are missing", "Nodes complete");
    }

    @Test
    void aPushIsFullOnlyWhenEveryNodeHasEverything() {
        UUID id = UUID.randomUUID();
        ended(id, 1, "PARTLY", "unreachable", "");
        assertThat(page("/pushes/" + id))
                .contains("parts are missing", "50 percent, 50 percent missing", "1 of 2 nodes")
                .doesNotContain("aria-label=\"100 percent\"><i style=\"width:100%\"></i></div>");
        assertThat(page("/pushes")).contains("50 percent, 50 percent missing");
        ended(id, 2, "COMPLETE", "complete", "");
        assertThat(page("/pushes/" + id)).contains("100 percent", "2 of 2 nodes");
    }

    @Test
    void aPushNamesItsFilesAndItsJobLeadsToIt() {
        UUID id = UUID.randomUUID();
        String job = "push-" + id.toString().substring(0, 8);
        ended(
                id,
                1,
                "COMPLETE",
                "complete",
                ",\"job\":\"%s\",\"names\":[\"image.qcow2\",\"<b>\",\"c.img\"]".formatted(job));
        String communicator = communicator(job + "-0");
        String other = communicator(job + "x-0");
        assertThat(page("/pushes/" + id))
                .contains(
                        "image.qcow2, &lt;b&gt; and 1 more",
                        "c.img",
                        "/communicators/" + communicator)
                .doesNotContain("<b>\"", ">" + job + "x-0<");
        assertThat(page("/pushes")).contains("image.qcow2, &lt;b&gt; and 1 more");
        assertThat(page("/"))
                .contains("Push of " + job + "-0", "/pushes/" + id, other)
                .doesNotContain("Push of " + job + "x-0");
    }

    private String communicator(String job) {
        return rest.post(
                        "/v1/communicators",
                        "{\"job\":\"%s\",\"name\":\"files\",\"size\":2}".formatted(job))
                .string("id");
    }

    private void ended(UUID id, int sequence, String state, String second, String more) {
        Rest.Answer answer =
                rest.post(
                        "/v1/pushes",
                        """
                        {"id":"%s","sequence":%d,"sender":"h0","destination":"/srv","state":"%s",
                         "files":3,"bytes":1000,"doneBytes":1000,"streamBytes":1100,"rounds":1,
                         "nodes":[{"node":"h1","state":"complete","streamBytes":1100},
                            {"node":"h2","state":"%s","streamBytes":0}]%s}
                        """
                                .formatted(id, sequence, state, second, more));
        assertThat(answer.status()).as(answer.text()).isEqualTo(204);
    }

    @Test
    void aProbeThatFindsMulticastDeadIsAnAlert() {
        UUID id = UUID.randomUUID();
        String deaf = "deaf-" + id;
        assertThat(probe(id, deaf, true).status()).isEqualTo(204);
        assertThat(probe(id, deaf, true).status()).isEqualTo(204);
        assertThat(page("/probes/" + id))
                .contains("Who hears whom", deaf, "does not hear it", "Look at the querier");
        await().atMost(Duration.ofSeconds(60))
                .until(() -> alerted(deaf, Alert.Kind.MULTICAST_DEAD));
        // a later probe that finds nothing ends the alert
        assertThat(probe(UUID.randomUUID(), deaf, false).status()).isEqualTo(204);
        await().atMost(Duration.ofSeconds(60))
                .until(() -> !alerted(deaf, Alert.Kind.MULTICAST_DEAD));
    }

    private Rest.Answer probe(UUID id, String deaf, boolean dead) {
        String finding =
                """
                {"trouble":"no-multicast","nodes":["%s"],"what":"nothing reaches it",
                 "cure":"Look at the querier"}
                """
                        .formatted(deaf);
        return rest.post(
                "/v1/probes",
                """
                {"id":"%s","group":"239.195.0.7:5000","ttl":1,"seconds":4.5,"findings":[%s],
                 "queries":{},"queriesAudible":true,
                 "nodes":[{"node":"p1","hears":["%s"],"largestDatagramBytes":1472},
                    {"node":"%s","hears":[%s],"lostShare":0.5,"bitsPerSecond":90000000}]}
                """
                        .formatted(id, dead ? finding : "", deaf, deaf, dead ? "" : "\"p1\""));
    }

    @Test
    void whatIsTooMuchOrMadeUpIsRefused() {
        assertThat(heartbeat("a\\u0007b", 10, false).status()).isEqualTo(400);
        assertThat(heartbeat("x".repeat(201), 10, false).status()).isEqualTo(400);
        assertThat(heartbeat("x", 0, false).status()).isEqualTo(400);
        assertThat(push(UUID.randomUUID(), 1, "EXPLODED", 1).status()).isEqualTo(400);
        assertThat(push(UUID.randomUUID(), 1, "RUNNING", -1).status()).isEqualTo(400);
        assertThat(rest.post("/v1/probes", "{}").status()).isEqualTo(400);
        assertThat(rest.get("/v1/pushes/" + UUID.randomUUID()).status()).isEqualTo(404);
        assertThat(rest.get("/pushes/" + UUID.randomUUID()).status()).isEqualTo(404);
        assertThat(rest.get("/v1/probes/" + UUID.randomUUID()).status()).isEqualTo(404);
        assertThat(rest.get("/probes/" + UUID.randomUUID()).status()).isEqualTo(404);
    }

    @Test
    void whoHadAnAddressIsTold() {
        String job = RunningService.newJob();
        Rest.Answer lease = rest.post("/v1/leases", "{\"job\":\"%s\"}".formatted(job));
        String address = lease.json().at("/groups/0/address").asString();
        assertThat(page("/scopes?address=" + address)).contains(job, "has it until");
        assertThat(page("/scopes?address=239.192.0.0/16")).contains("That is not one address");
        assertThat(page("/scopes?address=1.2.3.4")).contains("No lease had this address");
    }
}

package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.madcast.allocator.Rest.Answer;

/** The pages of a job and of a node, and those that lead on: metrics, help. */
class JobAndNodePagesTest {

    private static final String PERSON = "text/html,*/*;q=0.8";

    private final RunningService service = RunningService.shared();
    private final Rest rest = service.rest();

    private String page(String path) {
        Answer answer = rest.get(path, "Accept", PERSON);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.text();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Test
    void aJobHasATimeLineOfItsCommunicatorsAndWhatHappened() {
        SampleJob job = SampleJob.start(rest, RunningService.newJob(), 4);
        job.report(1);
        String second =
                rest.post(
                                "/v1/communicators",
                                "{\"job\":\"%s\",\"name\":\"rows\",\"size\":2}"
                                        .formatted(job.name()))
                        .string("id");
        service.jdbc()
                .sql(
                        """
                        update member set expires_at = now() - interval '1 s'
                        where communicator_id = ?::uuid and rank = 3
                        """)
                .param(job.id())
                .update();
        String page = page("/job?name=" + job.name());
        assertThat(page)
                .contains("/communicators/" + job.id(), "/communicators/" + second, ">rows<")
                .contains("all ranks have met", "made for 2 ranks", "rank 3 on h3 was lost")
                .contains("rank 2: 7.25 %", "class=\"running\"", "class=\"waiting\"");
        job.end();
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(
                        () -> assertThat(page("/job?name=" + job.name())).contains("ended: "));
        assertThat(page("/jobs?q=" + job.name())).contains("/job?name=" + job.name());
        assertThat(page("/communicators/" + job.id())).contains("/job?name=" + job.name());
        assertThat(page("/leases/" + job.leaseId())).contains("/job?name=" + job.name());
        assertThat(rest.get("/fragments/job?name=" + job.name()).text()).doesNotContain("<html");
    }

    @Test
    void aJobsNameMayHaveAnyCharacters() {
        String name = "a/b c\"<i>%&" + UUID.randomUUID();
        rest.post(
                "/v1/communicators",
                "{\"job\":\"%s\",\"name\":\"<b>\",\"size\":2}"
                        .formatted(name.replace("\"", "\\\"")));
        String page = page("/job?name=" + encoded(name));
        assertThat(page).contains("&lt;i&gt;", "&lt;b&gt;").doesNotContain("<i>%", "<b><");
        assertThat(page("/jobs?q=" + encoded(name))).contains("/job?name=a/b");
    }

    @Test
    void jobsAndNodesThatAreNotKnownAreSaidToBeMissing() {
        Answer job = rest.get("/job?name=" + UUID.randomUUID(), "Accept", PERSON);
        assertThat(job.status()).isEqualTo(404);
        assertThat(job.text()).contains("There is no such job.");
        Answer node = rest.get("/node?name=" + UUID.randomUUID(), "Accept", PERSON);
        assertThat(node.status()).isEqualTo(404);
        assertThat(node.text()).contains("There is no such node.");
        assertThat(rest.get("/job", "Accept", PERSON).status()).isEqualTo(400);
        assertThat(page("/jobs?q=" + UUID.randomUUID())).contains("No job has such a name");
    }

    @Test
    void aNodeHasItsAgentItsRanksItsPushesAndItsProbes() {
        String name = "node-" + UUID.randomUUID();
        rest.post(
                "/v1/nodes",
                """
                {"name":"%s","address":"10.0.0.7:8731","intervalSeconds":3600,"complete":4,
                 "broken":2,"bytes":1048576}
                """
                        .formatted(name));
        SampleJob job = SampleJob.start(rest, RunningService.newJob(), 3);
        job.report(1);
        service.jdbc()
                .sql("update member set host = ? where communicator_id = ?::uuid and rank = 2")
                .params(name, job.id())
                .update();
        UUID push = UUID.randomUUID();
        rest.post(
                "/v1/pushes",
                """
                {"id":"%s","sequence":1,"sender":"h0","destination":"/srv","state":"PARTLY",
                 "files":1,"bytes":10,"doneBytes":10,"streamBytes":10,"rounds":1,
                 "names":["a.img"],"nodes":[{"node":"%s","state":"unreachable","streamBytes":0}]}
                """
                        .formatted(push, name));
        UUID probe = UUID.randomUUID();
        rest.post(
                "/v1/probes",
                """
                {"id":"%s","group":"239.195.0.7:5000","ttl":1,"seconds":4.5,"findings":[],
                 "queries":{},"queriesAudible":true,
                 "nodes":[{"node":"p1","hears":["%s"]},{"node":"%s","hears":["p1"]}]}
                """
                        .formatted(probe, name, name));
        String page = page("/node?name=" + name);
        assertThat(page)
                .contains("alive", "10.0.0.7:8731", "1.0 MiB", job.name(), "7.25 %")
                .contains("/pushes/" + push, "a.img", "unreachable", "/probes/" + probe);
        assertThat(page("/nodes?q=" + name)).contains("/node?name=" + name);
        rest.post(
                "/v1/nodes",
                "{\"name\":\"%s\",\"intervalSeconds\":9,\"leaving\":true}".formatted(name));
        job.end();
        // the agent has left, the rank's host is still known
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(page("/node?name=" + name)).contains("no agent"));
    }

    @Test
    void theImportantMetricsAreDrawnAndTheTextIsAtTheFoot() {
        try (RunningService quick =
                RunningService.replica("--madcast.dashboard.metrics-interval=200ms")) {
            Rest at = quick.rest();
            at.post("/v1/leases", "{\"job\":\"m\"}");
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() ->
                            assertThat(at.get("/metrics", "Accept", PERSON).text())
                                    .containsPattern("id=\"chart-requests\"(?s).*?data-v=\"[1-9]"));
            String page = at.get("/metrics", "Accept", PERSON).text();
            assertThat(page)
                    .contains("id=\"chart-leases\"", "id=\"chart-groups\"", "data-unit=\"count\"")
                    .contains("href=\"/actuator/prometheus\"");
        }
    }

    @Test
    void helpAndDocumentationAreOneClickAway() {
        assertThat(page("/")).contains("href=\"/help\"", "href=\"/metrics\"");
        assertThat(page("/help"))
                .contains("MADCAST_SERVICE=" + rest.origin(), "/v1/openapi", "quarantine");
    }
}

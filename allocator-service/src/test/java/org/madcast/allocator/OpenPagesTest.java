package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Many open pages: what they cost, and how many one client may have. */
class OpenPagesTest {

    private static final int MOST = 3;

    @Test
    void oneClientHasSomePagesThatRefreshThemselvesAndThenNoMore() throws Exception {
        HttpClient http = HttpClient.newHttpClient();
        try (RunningService service =
                RunningService.replica("--madcast.dashboard.pages-of-one-client=" + MOST)) {
            URI events = URI.create(service.rest().origin() + "/events");
            List<InputStream> open = new ArrayList<>();
            for (int i = 0; i < MOST; i++) {
                HttpResponse<InputStream> answer = open(http, events);
                assertThat(answer.statusCode()).isEqualTo(200);
                open.add(answer.body());
            }
            HttpResponse<InputStream> tooMany = open(http, events);
            assertThat(tooMany.statusCode()).isEqualTo(429);
            assertThat(tooMany.headers().firstValue("Retry-After")).isPresent();
            open.removeFirst().close();
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> {
                        HttpResponse<InputStream> again = open(http, events);
                        boolean taken = again.statusCode() == 200;
                        open.add(again.body());
                        return taken;
                    });
        } finally {
            http.shutdownNow(); // closing it would wait for what is open
        }
    }

    private static HttpResponse<InputStream> open(HttpClient http, URI events)
            throws IOException, InterruptedException {
        return http.send(HttpRequest.newBuilder(events).build(), BodyHandlers.ofInputStream());
    }

    /** Counted in the database: how often the newest leases were looked for. */
    @Test
    void aHundredOpenPagesCostWhatOneCosts() throws Exception {
        try (RunningService service =
                        RunningService.replica("--madcast.dashboard.refresh-interval=10m");
                ExecutorService threads = Executors.newFixedThreadPool(20)) {
            Rest rest = service.rest();
            assertThat(rest.get("/fragments/overview").status()).isEqualTo(200);
            String before = rest.get("/fragments/overview").text();
            rest.post("/v1/leases", "{\"job\":\"%s\"}".formatted(RunningService.newJob()));
            List<Future<String>> pages = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                pages.add(threads.submit(() -> rest.get("/fragments/overview").text()));
            }
            for (Future<String> each : pages) {
                // The lease that came meanwhile would be in it, had anybody looked again.
                assertThat(each.get()).isEqualTo(before);
            }
            assertThat(rest.get("/").text()).as("who opens it sees all").isNotEqualTo(before);
        }
    }

    @Test
    void nothingKeepsAnswersThatTellSecrets() {
        Rest rest = RunningService.shared().rest();
        String job = RunningService.newJob();
        for (Rest.Answer answer :
                List.of(
                        rest.post("/v1/leases", "{\"job\":\"%s\"}".formatted(job)),
                        rest.post(
                                "/v1/communicators",
                                "{\"job\":\"%s\",\"name\":\"w\",\"size\":2}".formatted(job)),
                        rest.get("/v1/leases"))) {
            assertThat(answer.response().headers().firstValue("Cache-Control"))
                    .hasValue("no-store");
        }
    }
}

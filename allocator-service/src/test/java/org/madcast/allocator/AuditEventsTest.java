package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What is recorded, as server-sent events. */
class AuditEventsTest {

    private final RunningService service = RunningService.shared();
    private final Rest rest = service.rest();
    private final HttpClient http = HttpClient.newHttpClient();

    @AfterEach
    void end() {
        http.shutdownNow(); // closing it would wait for what is open
    }

    private HttpResponse<InputStream> open(String query, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(rest.origin() + "/v1/audit/events" + query));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), BodyHandlers.ofInputStream());
    }

    private void grant(String job) {
        assertThat(rest.post("/v1/leases", "{\"job\":\"%s\"}".formatted(job)).status())
                .isEqualTo(201);
    }

    /** An event's id, and the entry in its data. */
    private record Event(String id, JsonNode cloudEvent) {

        String subject() {
            return cloudEvent.at("/data/subject").asString();
        }
    }

    /** The next event of this job or the other; tests beside this one grant leases too. */
    private static Event next(BufferedReader lines, String... jobs) throws IOException {
        String id = "";
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("id:")) {
                id = line.substring("id:".length());
            } else if (line.startsWith("data:")) {
                JsonNode read = JsonMapper.shared().readTree(line.substring("data:".length()));
                Event event = new Event(id, read);
                if (List.of(jobs).contains(event.subject())) {
                    return event;
                }
            }
        }
        throw new IOException("the stream has ended");
    }

    private static BufferedReader lines(HttpResponse<InputStream> answer) {
        assertThat(answer.statusCode()).isEqualTo(200);
        return new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
    }

    @Test
    void entriesComeAsTheyAreRecordedAndAStreamGoesOnWhereTheLastOneWas() throws Exception {
        String first = RunningService.newJob();
        String second = RunningService.newJob();
        Event seen;
        try (BufferedReader stream = lines(open("?what=lease"))) {
            grant(first);
            seen = next(stream, first, second);
        }
        assertThat(seen.subject()).isEqualTo(first);
        assertThat(seen.cloudEvent().path("id").asString()).isEqualTo(seen.id());
        assertThat(seen.cloudEvent().path("type").asString())
                .isEqualTo("org.madcast.lease.granted");
        grant(second); // while nothing follows
        String third = RunningService.newJob();
        try (BufferedReader stream = lines(open("", "Last-Event-ID", seen.id()))) {
            assertThat(next(stream, first, second, third).subject()).isEqualTo(second);
            grant(third);
            assertThat(next(stream, first, second, third).subject()).isEqualTo(third);
        }
        long before = Long.parseLong(seen.id()) - 1;
        try (BufferedReader stream = lines(open("?after=" + before))) {
            assertThat(next(stream, first, second, third).subject()).isEqualTo(first);
        }
    }

    @Test
    void onlyTheKindsThatAreWantedCome() throws Exception {
        String job = RunningService.newJob();
        try (BufferedReader stream = lines(open("?what=lease.released"))) {
            Rest.Answer granted = rest.post("/v1/leases", "{\"job\":\"%s\"}".formatted(job));
            rest.delete("/v1/leases/" + granted.string("id") + "?force=true");
            assertThat(next(stream, job).cloudEvent().path("type").asString())
                    .isEqualTo("org.madcast.lease.released");
        }
    }

    @Test
    void whatIsNoKindOrNoNumberIsRefused() throws Exception {
        HttpResponse<InputStream> kind = open("?what=leas", "Accept", "text/event-stream");
        assertThat(kind.statusCode()).isEqualTo(400);
        assertThat(new String(kind.body().readAllBytes(), StandardCharsets.UTF_8))
                .contains("urn:madcast:problem:invalid-request");
        assertThat(open("", "Last-Event-ID", "x").statusCode()).isEqualTo(400);
        assertThat(open("?after=-1").statusCode()).isEqualTo(400);
    }
}

package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Webhooks, with a receiver that fails at first. */
class WebhookTest {

    private final RunningService service = RunningService.shared();
    private final Rest rest = service.rest();
    private final String name = "hook-" + UUID.randomUUID();
    private final List<JsonNode> events = new CopyOnWriteArrayList<>();
    private final List<String> wrong = new CopyOnWriteArrayList<>();
    private final AtomicInteger failures = new AtomicInteger();
    private volatile String secret = "";
    private HttpServer receiver;

    @BeforeEach
    void receive() throws IOException {
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/", this::take);
        receiver.start();
    }

    @AfterEach
    void stop() {
        rest.delete("/v1/webhooks/" + name);
        receiver.stop(0);
    }

    private void take(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        int status = 204;
        if (failures.getAndDecrement() > 0) {
            status = 503;
        } else {
            String id = exchange.getRequestHeaders().getFirst("webhook-id");
            String at = exchange.getRequestHeaders().getFirst("webhook-timestamp");
            String signed = exchange.getRequestHeaders().getFirst("webhook-signature");
            if (!signature(id + "." + at + "." + body).equals(signed)) {
                wrong.add(signed);
            }
            events.add(JsonMapper.shared().readTree(body));
        }
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }

    /** As a receiver computes it, by the standard. */
    private String signature(String signed) {
        try {
            byte[] key = Base64.getDecoder().decode(secret.substring("whsec_".length()));
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            byte[] sum = mac.doFinal(signed.getBytes(StandardCharsets.UTF_8));
            return "v1," + Base64.getEncoder().encodeToString(sum);
        } catch (java.security.GeneralSecurityException missing) {
            throw new AssertionError(missing);
        }
    }

    private void hook(String kinds) {
        String url = "http://127.0.0.1:%d/hook".formatted(receiver.getAddress().getPort());
        Rest.Answer made =
                rest.put(
                        "/v1/webhooks/" + name,
                        "{\"url\":\"%s\",\"kinds\":[%s]}".formatted(url, kinds));
        assertThat(made.status()).as(made.text()).isEqualTo(200);
        secret = made.string("secret");
        assertThat(secret).startsWith("whsec_");
    }

    private List<JsonNode> of(String job) {
        return events.stream().filter(it -> it.at("/data/subject").asString().equals(job)).toList();
    }

    /** Grants and releases, each of one lease after the other. */
    private List<String> leases(String job, int count) {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Rest.Answer granted = rest.post("/v1/leases", "{\"job\":\"%s\"}".formatted(job));
            ids.add(granted.string("id"));
            rest.delete(
                    "/v1/leases/" + granted.string("id"),
                    "Madcast-Lease-Secret",
                    granted.string("secret"));
        }
        return ids;
    }

    @Test
    void isToldEverythingInItsOrderAlthoughItFailsAtFirst() {
        failures.set(2);
        hook("\"lease.granted\",\"lease.released\"");
        String job = RunningService.newJob();
        List<String> ids = leases(job, 10);
        await().until(() -> of(job).size() >= 20);
        assertThat(wrong).isEmpty();
        List<String> order = new ArrayList<>();
        for (JsonNode event : of(job)) {
            assertThat(event.path("specversion").asString()).isEqualTo("1.0");
            assertThat(event.path("id").asString()).isEqualTo(event.at("/data/id").asString());
            order.add(event.path("subject").asString() + " " + event.path("type").asString());
        }
        List<String> expected = new ArrayList<>();
        for (String id : ids) {
            expected.add(id + " org.madcast.lease.granted");
            expected.add(id + " org.madcast.lease.released");
        }
        assertThat(order).isEqualTo(expected);
        JsonNode shown = shown();
        assertThat(shown.path("told").asLong()).isGreaterThanOrEqualTo(20);
        assertThat(shown.path("dropped").asLong()).isZero();
        assertThat(shown.path("lastFailure").asString()).isEqualTo("status 503");
        assertThat(shown.has("secret")).isFalse();
    }

    private JsonNode shown() {
        for (JsonNode each : rest.get("/v1/webhooks").json().path("items")) {
            if (each.path("name").asString().equals(name)) {
                return each;
            }
        }
        throw new AssertionError("no webhook " + name);
    }

    /**
     * What is recorded while nobody listens is told when somebody does, also by another replica.
     */
    @Test
    void nothingIsLostWhileTheReceiverIsAwayAndTheServiceIsRestarted() throws IOException {
        hook("");
        int port = receiver.getAddress().getPort();
        receiver.stop(0);
        String job = RunningService.newJob();
        try (RunningService other = RunningService.replica()) {
            for (int i = 0; i < 3; i++) {
                other.rest().post("/v1/leases", "{\"job\":\"%s\"}".formatted(job));
            }
            await().until(() -> shown().path("failures").asInt() > 0);
        }
        receiver =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        receiver.createContext("/", this::take);
        receiver.start();
        await().until(() -> of(job).size() >= 3);
        assertThat(of(job).stream().map(it -> it.path("id").asLong()).toList()).isSorted();
        assertThat(wrong).isEmpty();
    }

    @Test
    void whatIsNotOnesToTellIsSaid() {
        for (String body :
                List.of(
                        "{}",
                        "{\"url\":\"ftp://x/\"}",
                        "{\"url\":\"http:///x\"}",
                        "{\"url\":\"http://u:p@x/\"}",
                        "{\"url\":\"http://x/\",\"kinds\":[\"nothing\"]}",
                        "{\"url\":\"http://x/\",\"secret\":\"short\"}")) {
            Rest.Answer refused = rest.put("/v1/webhooks/" + name, body);
            assertThat(refused.problem()).as(body).isEqualTo("invalid-request");
        }
        assertThat(rest.delete("/v1/webhooks/" + name).status()).isEqualTo(404);
    }
}

package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One client asks without pause, with many hands; another one is served all the same. */
class FloodTest {

    private static final int HANDS = 64;
    private static final int BYSTANDERS_LEASES = 20;

    private final RunningService service = RunningService.shared();
    private final Rest rest = service.rest();

    @Test
    void whoFloodsAFullPoolDoesNotStopOthers() throws Exception {
        String full = service.addScope(1, 3600);
        String other = service.addScope(BYSTANDERS_LEASES, 3600);
        assertThat(grant(full).status()).isEqualTo(201);
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger refused = new AtomicInteger();
        List<Future<?>> hands = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(HANDS)) {
            for (int i = 0; i < HANDS; i++) {
                boolean guessing = i % 2 == 0;
                hands.add(
                        threads.submit(() -> {
                            while (!over.get()) {
                                assertThat(guessing ? guess() : grant(full).status())
                                        .isEqualTo(guessing ? 404 : 409);
                                refused.incrementAndGet();
                            }
                        }));
            }
            try {
                for (int i = 0; i < BYSTANDERS_LEASES; i++) {
                    long sentNs = System.nanoTime();
                    Rest.Answer answer = grant(other);
                    assertThat(answer.status()).as(answer.text()).isEqualTo(201);
                    assertThat(Duration.ofNanos(System.nanoTime() - sentNs))
                            .isLessThan(Duration.ofSeconds(30));
                }
            } finally {
                over.set(true);
            }
        }
        for (Future<?> hand : hands) {
            hand.get();
        }
        assertThat(refused.get()).isGreaterThan(HANDS);
    }

    /** Many large bodies that never come to their end must not fill the heap. */
    @Test
    void halfSentBodiesAreRefusedInTimeAndSmallOnesAreReadAllTheSame() throws Exception {
        String scope = service.addScope(BYSTANDERS_LEASES, 3600);
        int largest = 256 * 1024;
        long most = Runtime.getRuntime().maxMemory() / largest;
        String large = "{\"job\":\"%s\"}".formatted("x".repeat(largest / 2));
        List<Socket> flood = new ArrayList<>();
        try {
            Rest.Answer answer = rest.post("/v1/leases", large);
            while (answer.status() == 400 && flood.size() < most) {
                flood.add(beginBody(rest, largest));
                answer = rest.post("/v1/leases", large);
            }
            assertThat(answer.status()).as(answer.text()).isEqualTo(503);
            assertThat(answer.problem()).isEqualTo("too-busy");
            assertThat(answer.response().headers().firstValueAsLong("Retry-After").orElse(0))
                    .isPositive();
            assertThat(flood).hasSizeLessThan((int) most / 8);
            assertThat(grant(scope).status()).isEqualTo(201);
        } finally {
            for (Socket each : flood) {
                each.close();
            }
        }
        await().atMost(Duration.ofSeconds(60))
                .until(() -> rest.post("/v1/leases", large).status() == 400);
    }

    /** What one client has under way is limited, so that others find room. */
    @Test
    void tooManyRequestsOfOneClientAreRefused() throws Exception {
        try (RunningService few =
                RunningService.replica(
                        "--madcast.rest.requests-of-one-client=3",
                        "--server.tomcat.connection-timeout=60s")) {
            Rest asked = few.rest();
            // What is made for the first request of all takes seconds on a busy machine.
            assertThat(asked.get("/v1/scopes").status()).isEqualTo(200);
            List<Socket> flood = new ArrayList<>();
            try {
                for (int i = 0; i < 3; i++) {
                    flood.add(beginBody(asked, 100));
                }
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> asked.get("/v1/scopes").status() == 429);
                Rest.Answer refused = asked.get("/v1/scopes");
                assertThat(refused.problem()).isEqualTo("too-many-requests");
                assertThat(refused.json().path("mostUnderWay").asInt()).isEqualTo(3);
                assertThat(refused.response().headers().firstValueAsLong("Retry-After").orElse(0))
                        .isPositive();
                assertThat(refused.string("instance")).isEqualTo("/v1/scopes");
                Rest.Answer page = asked.get("/leases", "Accept", "text/html,*/*;q=0.8");
                assertThat(page.status()).isEqualTo(429);
                assertThat(page.text())
                        .contains("<h1>Too many requests at once.</h1>", "data-retry=\"true\"");
                assertThat(page.response().headers().firstValueAsLong("Retry-After").orElse(0))
                        .isPositive();
                assertThat(asked.get("/v1/scopes", "Accept", "text/html").problem())
                        .isEqualTo("too-many-requests");
            } finally {
                for (Socket each : flood) {
                    each.close();
                }
            }
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> asked.get("/v1/scopes").status() == 200);
        }
    }

    /**
     * Far more connections than the service takes, each with half a request, that stay: who has
     * them gets no more and gives way, whoever has few keeps them.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void halfSentRequestsLeaveConnectionsForOthers(int addresses) throws Exception {
        try (RunningService few =
                RunningService.replica(
                        "--server.tomcat.max-connections=64",
                        "--server.tomcat.connection-timeout=180s")) {
            Rest asked = few.rest();
            String half = "{\"job\":\"flood\",";
            String scope = "\"scope\":\"%s\"}".formatted(few.addScope(1, 0));
            List<Socket> flood = new ArrayList<>();
            try (Socket slow = beginBody(asked, half.length() + scope.length());
                    Socket quick = connection(asked, "127.0.0.1")) {
                slow.getOutputStream().write(half.getBytes(StandardCharsets.US_ASCII));
                assertThat(statusOf(quick)).isEqualTo(200);
                for (int i = 0; i < 400; i++) {
                    beginBodyIfTaken(asked, "127.0.0." + (2 + i % addresses), flood);
                }
                for (int i = 0; i < BYSTANDERS_LEASES; i++) {
                    assertThat(statusOf(quick)).isEqualTo(200);
                    try (Socket another = connection(asked, "127.0.0.1")) {
                        assertThat(statusOf(another)).isEqualTo(200);
                    }
                }
                slow.getOutputStream().write(scope.getBytes(StandardCharsets.US_ASCII));
                assertThat(readStatus(slow)).isEqualTo(201);
            } finally {
                for (Socket each : flood) {
                    each.close();
                }
            }
        }
    }

    private static void beginBodyIfTaken(Rest rest, String from, List<Socket> flood)
            throws IOException {
        try {
            flood.add(beginBody(rest, from, 100));
        } catch (SocketException refused) {
            assertThat(flood).hasSizeGreaterThan(10); // and closed before anything was sent
        }
    }

    /** A connection whose answers do not take as long as the service waits for half a request. */
    private static Socket connection(Rest rest, String from) throws IOException {
        URI service = URI.create(rest.origin());
        Socket socket =
                new Socket(service.getHost(), service.getPort(), InetAddress.getByName(from), 0);
        socket.setSoTimeout(60_000);
        return socket;
    }

    private static int statusOf(Socket connection) throws IOException {
        String head = "HEAD /v1/scopes HTTP/1.1\r\nHost: x\r\n\r\n";
        connection.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
        return readStatus(connection);
    }

    /** The status of an answer that is read as far as its head. */
    private static int readStatus(Socket connection) throws IOException {
        StringBuilder head = new StringBuilder();
        while (!head.toString().endsWith("\r\n\r\n")) {
            int next = connection.getInputStream().read();
            assertThat(next).as("after '%s'", head).isNotNegative();
            head.append((char) next);
        }
        return Integer.parseInt(head.substring(9, 12));
    }

    private static Socket beginBody(Rest rest, int bytes) throws IOException {
        return beginBody(rest, "127.0.0.1", bytes);
    }

    private static Socket beginBody(Rest rest, String from, int bytes) throws IOException {
        Socket socket = connection(rest, from);
        socket.getOutputStream()
                .write(
                        """
                        POST /v1/leases HTTP/1.1\r
                        Host: x\r
                        Content-Type: application/json\r
                        Content-Length: %d\r
                        \r
                        """
                                .formatted(bytes)
                                .getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private int guess() {
        return rest.delete("/v1/leases/" + UUID.randomUUID(), "Madcast-Lease-Secret", "guess")
                .status();
    }

    private Rest.Answer grant(String scope) {
        return rest.post("/v1/leases", "{\"job\":\"flood\",\"scope\":\"%s\"}".formatted(scope));
    }
}

package org.madcast.client.lease;

import static org.assertj.core.api.Assertions.assertThat;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import com.grack.nanojson.JsonParserException;
import com.grack.nanojson.JsonWriter;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.madcast.client.CommunicatorConfig;

/**
 * A rank meets at a service of version 0.1: it reads the answers that such a service gave, and
 * sends no field that it does not know, which it would refuse. The exchanges are the files that the
 * service's {@code RestCompatibilityTest} holds.
 */
@Timeout(180)
final class GoldenAnswersTest {

    private static final Path FILES =
            Path.of("../allocator-service/src/test/resources/golden/rest-0.1");

    private final Map<String, JsonObject> sent = new ConcurrentHashMap<>();
    private final HttpServer http;

    GoldenAnswersTest() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext("/", this::answer);
        http.start();
    }

    @AfterEach
    void stop() {
        http.stop(0);
    }

    private static JsonObject golden(String file) throws IOException {
        try {
            return JsonParser.object().from(Files.readString(FILES.resolve(file + ".json")));
        } catch (JsonParserException broken) {
            throw new IOException(file, broken);
        }
    }

    private static String file(String method, String path) {
        return switch (method) {
            case "PUT" -> "08-join";
            case "DELETE" -> "11-leave";
            case "GET" -> "09-get-communicator";
            default -> path.endsWith("/renewal") ? "10-renew-member" : "07-make-communicator";
        };
    }

    private void answer(HttpExchange exchange) throws IOException {
        String file = file(exchange.getRequestMethod(), exchange.getRequestURI().getPath());
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        JsonObject golden = golden(file);
        try {
            sent.put(file, body.isEmpty() ? new JsonObject() : JsonParser.object().from(body));
        } catch (JsonParserException broken) {
            throw new IOException(body, broken);
        }
        byte[] bytes =
                golden.has("answer")
                        ? JsonWriter.string(golden.getObject("answer"))
                                .getBytes(StandardCharsets.UTF_8)
                        : new byte[0];
        exchange.sendResponseHeaders(
                golden.getInt("status"), bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Test
    void aRankMeetsAtAServiceOfTheVersionBefore() throws Exception {
        URI service = URI.create("http://127.0.0.1:" + http.getAddress().getPort());
        CommunicatorConfig config =
                CommunicatorConfig.builder("golden", 0, 1).serviceUri(service).build();
        InetSocketAddress here = new InetSocketAddress(InetAddress.getLoopbackAddress(), 5000);
        try (Rendezvous rendezvous = ServiceRendezvous.find(config)) {
            Member self = new Member(0, here, 4_194_304, 1472);
            assertThat(rendezvous.meet(self, Duration.ofSeconds(30))).containsExactly(self);
            assertThat(rendezvous.group()).hasToString("239.194.245.67:31710");
            assertThat(rendezvous.token()).isEqualTo(0x2c2f4156763786eeL);
            assertThat(rendezvous.scope()).isEqualTo("239.192.0.0/14, ports 5000-32768 by 2");
        }
        assertThat(sent).containsKeys("07-make-communicator", "08-join", "11-leave");
        for (String file : new String[] {"07-make-communicator", "08-join"}) {
            assertThat(golden(file).getObject("body").keySet())
                    .as(file)
                    .containsAll(Objects.requireNonNull(sent.get(file)).keySet());
        }
    }
}

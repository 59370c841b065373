package org.madcast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What users read of what a service answers. */
class ServiceAnswersTest {

    private HttpServer http;
    private volatile int status = 200;
    private volatile String answer = "";

    @BeforeEach
    void serve() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext(
                "/",
                exchange -> {
                    byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(status, bytes.length);
                    exchange.getResponseBody().write(bytes);
                    exchange.close();
                });
        http.start();
    }

    @AfterEach
    void stop() {
        http.stop(0);
    }

    private Outcome ask(String words) {
        List<String> arguments = new ArrayList<>(List.of(words.split(" ")));
        arguments.addAll(List.of("--service", "http://127.0.0.1:" + http.getAddress().getPort()));
        return Outcome.of(arguments.toArray(String[]::new));
    }

    @Test
    void anExhaustedPoolIsNamed() {
        status = 409;
        answer = "{\"type\":\"urn:madcast:problem:pool-exhausted\",\"scope\":\"blue\"}";
        Outcome refused = ask("lease grant --job j --blue-scope blue");
        assertThat(refused.code()).isEqualTo(ExitCode.POOL_EXHAUSTED.code());
        assertThat(refused.err()).contains("no group is free in scope 'blue';");
    }

    @Test
    void aScopeThatThereIsNotIsNamed() {
        status = 404;
        answer = "{\"type\":\"urn:madcast:problem:no-such-scope\",\"scope\":\"bleu\"}";
        Outcome refused = ask("lease grant --job j --scope bleu");
        assertThat(refused.code()).isEqualTo(ExitCode.USAGE.code());
        assertThat(refused.err())
                .contains("there is no scope 'bleu'; 'curl http://127.0.0.1:")
                .contains("/v1/scopes'");
    }

    @Test
    void theNextPageIsOneOfTheSameSize() {
        String lease =
                """
                {"groups":[],"scope":"s","job":"j","state":"ACTIVE",\
                "expiresAt":"2026-12-24T18:00:00Z","id":"i"}\
                """;
        answer = "{\"total\":7,\"items\":[" + lease + "," + lease + "," + lease + "]}";
        assertThat(ask("lease list --size 3").out())
                .endsWith("3 of 7; more with --page 1 --size 3\n");
        answer = "{\"total\":7,\"items\":[" + lease + "]}";
        assertThat(ask("lease list --size 3 --page 2").out())
                .endsWith("1 of 7; the others with --page 1 --size 3\n");
    }
}

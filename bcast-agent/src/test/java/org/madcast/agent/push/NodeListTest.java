package org.madcast.agent.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.node.NodeName;
import org.madcast.agent.service.ServiceAccess;
import org.madcast.agent.service.ServiceClient;

/** Whom a list of nodes names, with a service that knows four. */
class NodeListTest {

    private static final String NODES =
            """
            {"items":[
             {"heartbeat":{"name":"a1","address":"10.0.0.1:8732"},"silent":false},
             {"heartbeat":{"name":"a2","address":"10.0.0.2:8732"},"silent":true},
             {"heartbeat":{"name":"a3","address":null},"silent":false},
             {"heartbeat":{"name":"b.1","address":"b.1:9000"},"silent":false}]}\
            """;

    private HttpServer http;
    private volatile int many;

    @BeforeEach
    void serve() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext(
                "/v1/nodes",
                exchange -> {
                    String query = exchange.getRequestURI().getQuery();
                    byte[] answer = answer(query).getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(200, answer.length);
                    exchange.getResponseBody().write(answer);
                    exchange.close();
                });
        http.start();
    }

    /** The four; or, when they are many, a thousand at a time. */
    private String answer(String query) {
        if (many == 0) {
            return NODES;
        }
        String after = query.substring(query.indexOf('=') + 1);
        return IntStream.rangeClosed(1, many)
                .mapToObj("n %05d"::formatted)
                .filter(name -> name.compareTo(after) > 0)
                .limit(1000)
                .map(
                        """
                        {"heartbeat":{"name":"%s","address":"10.0.0.1:8731"},"silent":false}\
                        """
                                ::formatted)
                .collect(Collectors.joining(",", "{\"items\":[", "]}"));
    }

    @AfterEach
    void stop() {
        http.stop(0);
    }

    private List<String> resolve(String list) throws InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + http.getAddress().getPort());
        return NodeList.parse(list).resolve(new ServiceClient(uri, null)).stream()
                .map(node -> node.text() + " at " + node.address().getHostString())
                .toList();
    }

    @Test
    void allAreThoseThatSpeakAndTakePushes() throws Exception {
        assertThat(resolve("@all")).containsExactly("a1 at 10.0.0.1", "b.1 at b.1");
    }

    @Test
    void allAreAllHoweverMany() throws Exception {
        for (int count : List.of(999, 1000, 1001, 3000)) {
            many = count;
            assertThat(resolve("@all"))
                    .hasSize(count)
                    .doesNotHaveDuplicates()
                    .contains("n %05d at 10.0.0.1".formatted(count));
        }
    }

    @Test
    void someAreChosenByNameAndMixedWithOthers() throws Exception {
        assertThat(resolve("h[1-2],@a*")).containsExactly("h1 at h1", "h2 at h2", "a1 at 10.0.0.1");
        assertThat(resolve("@b.1,@all,a1")).containsExactly("a1 at a1", "b.1 at b.1");
    }

    @Test
    void whoIsNotThereIsNamed() {
        for (String list : List.of("@bx1", "@a2", "@a3", "h1,@nobody")) {
            assertThatThrownBy(() -> resolve(list))
                    .isInstanceOf(CommandFailure.class)
                    .hasMessageContaining(list.substring(list.indexOf('@')));
        }
    }

    @Test
    void withoutAnAtTheServiceIsNotAsked() throws Exception {
        NodeList list = NodeList.parse("h1,10.0.0.7:9000");
        assertThat(list.asksService()).isFalse();
        assertThat(list.all(new ServiceAccess()))
                .extracting(NodeName::text)
                .containsExactly("h1", "10.0.0.7:9000");
        assertThatThrownBy(() -> NodeList.parse("@")).isInstanceOf(IllegalArgumentException.class);
    }
}

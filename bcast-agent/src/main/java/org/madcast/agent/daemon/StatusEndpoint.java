package org.madcast.agent.daemon;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** {@code /health} and {@code /metrics} over HTTP. */
final class StatusEndpoint implements AutoCloseable {

    private final HttpServer server;

    private StatusEndpoint(HttpServer server) {
        this.server = server;
    }

    static StatusEndpoint open(InetSocketAddress address, String node, AgentMetrics metrics)
            throws IOException {
        HttpServer server = HttpServer.create(address, 0);
        server.createContext(
                "/metrics",
                exchange -> answer(exchange, "text/plain; version=0.0.4", metrics::prometheus));
        server.createContext(
                "/health",
                exchange -> answer(exchange, "application/json", () -> health(node, metrics)));
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
        return new StatusEndpoint(server);
    }

    private static String health(String node, AgentMetrics metrics) {
        JsonObject health = new JsonObject();
        health.put("status", "UP");
        health.put("node", node);
        health.put("pushesActive", metrics.active());
        health.put("startedAt", metrics.started().toString());
        return JsonWriter.string(health);
    }

    private static void answer(HttpExchange exchange, String type, Supplier<String> text)
            throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            if (!path.equals(exchange.getHttpContext().getPath())) {
                exchange.sendResponseHeaders(404, -1);
                return;
            }
            if (!exchange.getRequestMethod().equals("GET")) {
                exchange.getResponseHeaders().set("Allow", "GET");
                exchange.sendResponseHeaders(405, -1);
                return;
            }
            byte[] body = text.get().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(200, body.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(body);
            }
        }
    }

    InetSocketAddress address() {
        return server.getAddress();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}

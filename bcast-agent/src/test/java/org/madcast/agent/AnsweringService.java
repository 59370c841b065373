package org.madcast.agent;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A service that gives every request the answer that the test has set. */
final class AnsweringService implements AutoCloseable {

    volatile int status = 200;
    volatile String answer = "";

    /** Method and path of every request. */
    final List<String> asked = new CopyOnWriteArrayList<>();

    /** The body of the last request. */
    volatile String body = "";

    private final HttpServer http;

    AnsweringService() {
        try {
            http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        http.createContext("/", this::handle);
        http.start();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    /** Runs a command, given as words with blanks between, with this service. */
    Outcome ask(String words) {
        List<String> arguments = new ArrayList<>(List.of(words.split(" ")));
        arguments.addAll(List.of("--service", "http://127.0.0.1:" + http.getAddress().getPort()));
        return Outcome.of(arguments.toArray(String[]::new));
    }

    @Override
    public void close() {
        http.stop(0);
    }
}

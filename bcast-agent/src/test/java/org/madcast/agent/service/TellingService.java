package org.madcast.agent.service;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import com.grack.nanojson.JsonParserException;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A service that keeps what it is told, and answers when the test lets it. */
public final class TellingService implements AutoCloseable {

    private final HttpServer http;
    private final BlockingQueue<JsonObject> heard = new LinkedBlockingQueue<>();
    private final Semaphore answers;

    /** Listens; answers so many requests, and more when {@link #answer} says so. */
    public TellingService(int answers) throws IOException {
        this.answers = new Semaphore(answers);
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext("/", this::hear);
        http.start();
    }

    /** Where it listens. */
    public URI uri() {
        return URI.create("http://127.0.0.1:" + http.getAddress().getPort());
    }

    private void hear(HttpExchange exchange) throws IOException {
        try (exchange) {
            heard.add(JsonParser.object().from(exchange.getRequestBody()));
            answers.acquire();
            exchange.sendResponseHeaders(204, -1);
        } catch (JsonParserException | InterruptedException e) {
            throw new IOException(e);
        }
    }

    /** Answers so many more requests. */
    public void answer(int many) {
        answers.release(many);
    }

    /** What was told next. */
    public JsonObject next() throws InterruptedException {
        return Objects.requireNonNull(heard.poll(30, TimeUnit.SECONDS), "nothing was told");
    }

    /** Whether all that was told has been looked at. */
    public boolean isSilent() {
        return heard.isEmpty();
    }

    @Override
    public void close() {
        answers.release(1000);
        http.stop(0);
    }
}

package org.madcast.agent.service;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import com.grack.nanojson.JsonParserException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Follows what the service records. A stream that ends is opened again where it was, also when the
 * service was away meanwhile. For one thread.
 */
final class AuditFollower {

    private static final Duration RETRY = Duration.ofSeconds(1);

    private final ServiceClient service;
    private final String path;
    private final PrintWriter err;
    private @Nullable String last;

    AuditFollower(ServiceClient service, String path, PrintWriter err) {
        this.service = service;
        this.path = path;
        this.err = err;
    }

    /**
     * Gives each entry to the reader, until the thread is interrupted.
     *
     * @throws org.madcast.agent.CommandFailure when the service refuses, or does not answer the
     *     first time
     */
    void follow(Consumer<JsonObject> reader) throws InterruptedException {
        boolean opened = false;
        boolean away = false;
        while (true) {
            try (BufferedReader lines =
                    new BufferedReader(
                            new InputStreamReader(
                                    service.follow(path, last), StandardCharsets.UTF_8))) {
                opened = true;
                if (away) {
                    err.println("madcast: the service is back");
                    away = false;
                }
                read(lines, reader);
            } catch (IOException failed) {
                if (!opened) {
                    throw service.unanswered(failed);
                }
                if (!away) {
                    err.println("madcast: the service is away; this goes on when it is back");
                    away = true;
                }
            }
            err.flush();
            Thread.sleep(RETRY);
        }
    }

    private void read(BufferedReader lines, Consumer<JsonObject> reader) throws IOException {
        String id = null;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("id:")) {
                id = line.substring("id:".length()).strip();
            } else if (line.startsWith("data:")) {
                reader.accept(entry(line.substring("data:".length())));
                last = id;
            }
        }
    }

    private static JsonObject entry(String event) throws IOException {
        try {
            return JsonParser.object().from(event).getObject("data", new JsonObject());
        } catch (JsonParserException wrong) {
            throw new IOException("not an event: " + event, wrong);
        }
    }
}

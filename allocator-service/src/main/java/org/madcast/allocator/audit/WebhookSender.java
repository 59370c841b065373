package org.madcast.allocator.audit;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.store.StoreClock;
import org.madcast.allocator.store.StoreFailures;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import tools.jackson.databind.ObjectMapper;

/**
 * Tells webhooks what was recorded, in the order in which it was, each entry at least once: what a
 * receiver does not acknowledge is sent again, later and later, and what comes after waits for it.
 * A webhook that is due has a thread of its own, on one replica.
 */
@Component
class WebhookSender {

    private static final Logger LOG = LoggerFactory.getLogger(WebhookSender.class);
    private static final Duration CLAIM = Duration.ofSeconds(60);
    private static final Duration TURN = Duration.ofSeconds(30);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration LONGEST_REST = Duration.ofMinutes(5);
    private static final int BATCH = 100;

    private final WebhookStore store;
    private final AuditQueries audit;
    private final AuditTail tail;
    private final StoreClock clock;
    private final ObjectMapper json;
    private final AuditProperties properties;
    private volatile @Nullable HttpClient http;

    WebhookSender(
            WebhookStore store,
            AuditQueries audit,
            AuditTail tail,
            StoreClock clock,
            ObjectMapper json,
            AuditProperties properties) {
        this.store = store;
        this.audit = audit;
        this.tail = tail;
        this.clock = clock;
        this.json = json;
        this.properties = properties;
    }

    /** Begins to tell all that are due. */
    @Scheduled(fixedDelayString = "${madcast.audit.webhook-interval:1s}")
    void tell() {
        Optional<Webhook> due = store.claim(CLAIM);
        while (due.isPresent()) {
            Webhook hook = due.get();
            Thread.ofVirtual().name("webhook-" + hook.name()).start(() -> serve(hook));
            due = store.claim(CLAIM);
        }
    }

    private void serve(Webhook hook) {
        try {
            store.rest(hook, tellAll(hook));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException failed) {
            // The claim ends by itself.
            if (StoreFailures.trouble(failed) == null) {
                LOG.error("Webhook {} could not be served", hook.name(), failed);
            }
        }
    }

    /** Tells what is new; gives how long to wait for more. */
    private Duration tellAll(Webhook hook) throws InterruptedException {
        long endNs = System.nanoTime() + TURN.toNanos();
        long position = hook.position();
        long last = tail.settledAfter(position);
        while (position < last && System.nanoTime() < endNs) {
            List<AuditQueries.Entry> next = audit.after(position, last, hook.kinds(), BATCH);
            for (AuditQueries.Entry entry : next) {
                Optional<String> failure = send(hook, entry);
                if (failure.isPresent()) {
                    store.failed(hook, entry.id(), failure.get(), properties.webhookPatience());
                    return rest(hook.progress().failures());
                }
                position = entry.id();
                store.told(hook, position, 1);
            }
            if (next.size() < BATCH) {
                position = last;
                store.told(hook, position, 0);
            }
        }
        return properties.webhookInterval();
    }

    private static Duration rest(int failures) {
        Duration longer = Duration.ofSeconds(1L << Math.min(failures, 10));
        return longer.compareTo(LONGEST_REST) < 0 ? longer : LONGEST_REST;
    }

    /** What went wrong, if anything did. */
    private Optional<String> send(Webhook hook, AuditQueries.Entry entry)
            throws InterruptedException {
        String id = String.valueOf(entry.id());
        String body = json.writeValueAsString(CloudEvent.of(entry));
        Instant now = clock.read();
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(hook.url()))
                        .timeout(PATIENCE)
                        .header("Content-Type", CloudEvent.TYPE)
                        .header("webhook-id", id)
                        .header("webhook-timestamp", String.valueOf(now.getEpochSecond()))
                        .header(
                                "webhook-signature",
                                CloudEvent.signature(hook.secret(), id, now, body))
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build();
        try {
            int status = client().send(request, BodyHandlers.discarding()).statusCode();
            return status / 100 == 2 ? Optional.empty() : Optional.of("status " + status);
        } catch (IOException failed) {
            return Optional.of(failed.toString());
        }
    }

    /** Made when it is needed first: most services have no webhooks. */
    private HttpClient client() {
        HttpClient known = http;
        if (known == null) {
            known =
                    HttpClient.newBuilder()
                            .version(HttpClient.Version.HTTP_1_1)
                            .connectTimeout(PATIENCE)
                            .build();
            http = known;
        }
        return known;
    }
}

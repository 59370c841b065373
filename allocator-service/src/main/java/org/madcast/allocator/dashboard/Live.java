package org.madcast.allocator.dashboard;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.alert.AlertService;
import org.madcast.allocator.web.Problem;
import org.madcast.allocator.web.ProblemType;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * Notifies open pages by server-sent events that there is something new to fetch. One address, and
 * one token, may have some open at a time, so that all have room.
 */
@Component
class Live {

    private static final int MOST_PAGES = 500;
    private static final long LONGEST_MS = 3_600_000;
    private static final Duration RETRY = Duration.ofSeconds(5);

    private final Map<SseEmitter, Runnable> pages = new ConcurrentHashMap<>();
    private final Map<String, Integer> open = new ConcurrentHashMap<>();
    private final AlertService alerts;
    private final int mostOfOne;

    Live(AlertService alerts, @Value("${madcast.dashboard.pages-of-one-client:50}") int mostOfOne) {
        this.alerts = alerts;
        this.mostOfOne = mostOfOne;
    }

    /**
     * Another page. When there are too many, the connection ends and the page tries again later.
     *
     * @param address where it is
     * @param token the name of the token that it shows, null for none
     * @throws Problem when that address or token has too many
     */
    SseEmitter open(String address, @Nullable String token) {
        SseEmitter page = new SseEmitter(LONGEST_MS);
        if (pages.size() >= MOST_PAGES) {
            page.complete();
            return page;
        }
        take("address " + address);
        if (token != null) {
            try {
                take("token " + token);
            } catch (Problem tooMany) {
                give("address " + address);
                throw tooMany;
            }
        }
        pages.put(
                page,
                () -> {
                    give("address " + address);
                    if (token != null) {
                        give("token " + token);
                    }
                });
        page.onCompletion(() -> forget(page));
        page.onTimeout(page::complete);
        page.onError(failure -> forget(page));
        send(page);
        return page;
    }

    private void take(String client) {
        if (open.merge(client, 1, Integer::sum) > mostOfOne) {
            give(client);
            throw new Problem(
                            ProblemType.TOO_MANY_REQUESTS,
                            "One address, and one token, may have %d pages open that refresh"
                                            .formatted(mostOfOne)
                                    + " themselves.")
                    .with("mostOpen", mostOfOne)
                    .retryAfter(RETRY);
        }
    }

    private void give(String client) {
        open.computeIfPresent(client, (name, count) -> count == 1 ? null : count - 1);
    }

    private void forget(SseEmitter page) {
        Runnable counted = pages.remove(page);
        if (counted != null) {
            counted.run();
        }
    }

    @Scheduled(fixedDelayString = "${madcast.dashboard.refresh-interval:2s}")
    void tick() {
        pages.keySet().forEach(this::send);
    }

    private void send(SseEmitter page) {
        try {
            page.send(SseEmitter.event().name("tick").data(alerts.current().size()));
        } catch (IOException | IllegalStateException gone) {
            forget(page);
        }
    }

    @EventListener(ContextClosedEvent.class)
    void close() {
        pages.keySet().forEach(SseEmitter::complete);
        pages.keySet().forEach(this::forget);
    }
}

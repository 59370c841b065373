package org.madcast.allocator.dashboard;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.alert.AlertService;
import org.madcast.allocator.web.OpenStreams;
import org.madcast.allocator.web.Problem;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** Notifies open pages by server-sent events that there is something new to fetch. */
@Component
class Live {

    private static final int MOST_PAGES = 500;
    private static final long LONGEST_MS = 3_600_000;

    private final Map<SseEmitter, Runnable> pages = new ConcurrentHashMap<>();
    private final AlertService alerts;
    private final OpenStreams streams;

    Live(AlertService alerts, OpenStreams streams) {
        this.alerts = alerts;
        this.streams = streams;
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
        pages.put(page, streams.take(address, token));
        page.onCompletion(() -> forget(page));
        page.onTimeout(page::complete);
        page.onError(failure -> forget(page));
        send(page);
        return page;
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

package org.madcast.allocator.dashboard;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.madcast.allocator.alert.AlertService;
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

    private final Set<SseEmitter> pages = ConcurrentHashMap.newKeySet();
    private final AlertService alerts;

    Live(AlertService alerts) {
        this.alerts = alerts;
    }

    /**
     * Another page. When there are too many, the connection ends and the page tries again later.
     */
    SseEmitter open() {
        SseEmitter page = new SseEmitter(LONGEST_MS);
        if (pages.size() >= MOST_PAGES) {
            page.complete();
            return page;
        }
        page.onCompletion(() -> pages.remove(page));
        page.onTimeout(page::complete);
        page.onError(failure -> pages.remove(page));
        pages.add(page);
        send(page);
        return page;
    }

    @Scheduled(fixedDelayString = "${madcast.dashboard.refresh-interval:2s}")
    void tick() {
        pages.forEach(this::send);
    }

    private void send(SseEmitter page) {
        try {
            page.send(SseEmitter.event().name("tick").data(alerts.current().size()));
        } catch (IOException | IllegalStateException gone) {
            pages.remove(page);
        }
    }

    @EventListener(ContextClosedEvent.class)
    void close() {
        pages.forEach(SseEmitter::complete);
        pages.clear();
    }
}

package org.madcast.agent.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.grack.nanojson.JsonObject;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever tells the service never waits for it, and only the latest news wait. */
@Timeout(180)
class ServiceNoticesTest {

    private static JsonObject news(int number) {
        JsonObject news = new JsonObject();
        news.put("number", number);
        return news;
    }

    /** One that is interrupted needs a moment. */
    @AfterEach
    void assertThatTheThreadEnds() throws InterruptedException {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().equals("madcast-notices")) {
                assertThat(thread.join(Duration.ofSeconds(60))).isTrue();
            }
        }
    }

    @Test
    void aSlowServiceHearsTheLatestOnly() throws Exception {
        try (TellingService service = new TellingService(0)) {
            ServiceNotices notices =
                    new ServiceNotices(new ServiceClient(service.uri(), null), "/v1/pushes");
            notices.tell(news(1));
            assertThat(service.next().getInt("number")).isEqualTo(1);
            for (int number = 2; number <= 100; number++) {
                notices.tell(news(number));
            }
            service.answer(10);
            assertThat(service.next().getInt("number")).isEqualTo(100);
            notices.close();
            assertThat(service.isSilent()).isTrue();
        }
    }

    @Test
    void theLastNewsAreSentBeforeTheEnd() throws Exception {
        try (TellingService service = new TellingService(10)) {
            try (ServiceNotices notices =
                    new ServiceNotices(new ServiceClient(service.uri(), null), "/v1/pushes")) {
                notices.tell(news(7));
            }
            assertThat(service.isSilent()).isFalse();
            assertThat(service.next().getInt("number")).isEqualTo(7);
        }
    }

    @Test
    void aServiceThatHangsHoldsNobodyUp() throws Exception {
        try (TellingService service = new TellingService(0)) {
            ServiceNotices notices =
                    new ServiceNotices(new ServiceClient(service.uri(), null), "/v1/pushes");
            notices.tell(news(1));
            assertThat(service.next()).isNotNull();
            long startNs = System.nanoTime();
            notices.close();
            assertThat(Duration.ofNanos(System.nanoTime() - startNs))
                    .isLessThan(Duration.ofSeconds(30));
        }
    }

    @Test
    void nobodyNeedsToListen() throws Exception {
        ServiceNotices notices =
                new ServiceNotices(
                        new ServiceClient(URI.create("http://127.0.0.1:1"), null), "/v1/nodes");
        notices.tell(news(1));
        notices.tell(news(2));
        notices.close();
        assertThatTheThreadEnds();
    }
}

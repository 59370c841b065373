package org.madcast.agent.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.grack.nanojson.JsonObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.madcast.agent.service.ServiceClient;
import org.madcast.agent.service.ServiceNotices;
import org.madcast.agent.service.TellingService;

/** What the service hears of a push. */
@Timeout(180)
class PushNoticesTest {

    private static final SourceSize SIZE = new SourceSize(3, 1000);

    private static PushNotices notices(TellingService service) {
        return new PushNotices(
                new ServiceNotices(new ServiceClient(service.uri(), null), "/v1/pushes"),
                "push-1",
                List.of("a.img", "tree"),
                List.of("h1", "h2"),
                "/srv/a\u0007b",
                SIZE);
    }

    @Test
    void tellsHowFarEachNodeIsAndHowItEnded() throws Exception {
        try (TellingService service = new TellingService(10);
                PushNotices notices = notices(service)) {
            notices.running(400, 500, 2, Map.of("h1", 450L));
            JsonObject running = service.next();
            assertThat(running.getString("state")).isEqualTo("RUNNING");
            assertThat(running.getString("destination")).isEqualTo("/srv/a b");
            assertThat(running.getLong("doneBytes")).isEqualTo(400);
            assertThat(running.getLong("bytes")).isEqualTo(1000);
            assertThat(running.getString("job")).isEqualTo("push-1");
            assertThat(running.getArray("names")).containsExactly("a.img", "tree");
            JsonObject first = running.getArray("nodes").getObject(0);
            assertThat(first.getString("state")).isEqualTo("running");
            assertThat(first.getLong("streamBytes")).isEqualTo(450);
            assertThat(running.getArray("nodes").getObject(1).getString("state")).isEqualTo("lost");

            notices.ended(
                    new PushResult(
                            List.of(
                                    NodeOutcome.failed(
                                            "h1", NodeOutcome.State.REFUSED, "no such directory"),
                                    NodeOutcome.failed(
                                            "h2", NodeOutcome.State.LOST, "its agent died")),
                            3,
                            1000,
                            600,
                            1.5,
                            2,
                            List.of(),
                            null));
            JsonObject ended = service.next();
            assertThat(ended.getString("id")).isEqualTo(running.getString("id"));
            assertThat(ended.getLong("sequence")).isGreaterThan(running.getLong("sequence"));
            assertThat(ended.getString("state")).isEqualTo("FAILED");
            assertThat(ended.getArray("nodes").getObject(0).getString("reason"))
                    .isEqualTo("no such directory");
        }
    }

    @Test
    void tellsOnceASecondAtMost() throws Exception {
        try (TellingService service = new TellingService(10);
                PushNotices notices = notices(service)) {
            for (int bytes = 0; bytes < 100; bytes++) {
                notices.running(bytes, bytes, 1, Map.of());
            }
            assertThat(service.next().getLong("doneBytes")).isZero();
            notices.ended(new PushResult(List.of(), 3, 1000, 600, 1.5, 2, List.of(), null));
            assertThat(service.next().getString("state")).isNotEqualTo("RUNNING");
        }
    }

    @Test
    void tellsNobodyWithoutAService() {
        PushNotices notices =
                new PushNotices(null, "push-1", List.of(), List.of("h1"), "/srv", SIZE);
        assertThatCode(
                        () -> {
                            notices.running(1, 1, 1, Map.of());
                            notices.ended(
                                    new PushResult(
                                            List.of(), 3, 1000, 600, 1.5, 2, List.of(), null));
                            notices.close();
                        })
                .doesNotThrowAnyException();
    }
}

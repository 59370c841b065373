package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.madcast.allocator.Rest.Answer;
import org.madcast.allocator.alert.Alert;
import org.madcast.allocator.alert.AlertService;
import tools.jackson.databind.JsonNode;

/** How full a pool is said to be where groups are leased for later, or the pool has shrunk. */
class FillingTest {

    private static final String SECRET = "Madcast-Lease-Secret";
    private static final Duration SOON = Duration.ofSeconds(60);

    private final RunningService service = RunningService.shared();
    private final Rest rest = service.rest();

    @Test
    void aGroupThatSomebodyElseWillHaveNextIsLeasedOnce() {
        String scope = service.addScope(1, 60);
        Answer first = grant(scope, "'durationSeconds':5");
        Answer second = grant(scope, later(3600));
        assertThat(second.json().path("groups").get(0).path("address"))
                .isEqualTo(first.json().path("groups").get(0).path("address"));
        assertFilling(scope, 1, 0, 0);
        assertUsed(scope, "1", "0", "0", "100 %");
        assertAlert(scope, "1 of 1 groups are in use, 100 %");
        rest.delete("/v1/leases/" + first.string("id"), SECRET, first.string("secret"));
        assertFilling(scope, 0, 1, 0);
    }

    @Test
    void aGroupThatIsKeptForLaterIsNeitherLeasedNorFree() {
        String scope = service.addScope(4, 0);
        Answer later = grant(scope, later(3600) + ",'count':2");
        grant(scope, later(7200));
        grant(scope, "");
        assertFilling(scope, 1, 0, 3);
        assertUsed(scope, "1", "3", "0", "100 %");
        assertAlert(scope, "4 of 4 groups are in use, 100 %");
        awaitMetric(scope, "leased", 1);
        awaitMetric(scope, "reserved", 3);
        awaitMetric(scope, "free", 0);
        rest.delete("/v1/leases/" + later.string("id"), SECRET, later.string("secret"));
        assertFilling(scope, 1, 0, 1);
        awaitMetric(scope, "free", 2);
    }

    @Test
    void aPoolThatWasMadeSmallerIsFullAndNoFuller() {
        String scope = service.addScope(4, 60);
        grant(scope, "'count':4");
        service.jdbc()
                .sql(
                        "update scope set ranges = array[split_part(ranges[1], '-', 1)] where name = ?")
                .param(scope)
                .update();
        assertFilling(scope, 4, 0, 0);
        assertUsed(scope, "4", "0", "0", "100 %");
        assertAlert(
                scope, "4 groups of 1 are in use, 100 %".replace("4 groups of 1", "1 of 1 groups"));
    }

    private void assertFilling(String scope, int leased, int quarantined, int reserved) {
        JsonNode view = view(scope);
        assertThat(view.path("leased").asInt(-1)).isEqualTo(leased);
        assertThat(view.path("quarantined").asInt(-1)).isEqualTo(quarantined);
        assertThat(view.path("reserved").asInt(-1)).isEqualTo(reserved);
    }

    /** What the scope's article on the page of the scopes says. */
    private void assertUsed(
            String scope, String leased, String reserved, String free, String percent) {
        String page = rest.get("/scopes").text();
        int at = page.indexOf("<strong>" + scope + "</strong>");
        String article = page.substring(at, page.indexOf("</article>", at));
        assertThat(article).contains(percent + " used");
        assertThat(article).contains("<b>" + leased + "</b> leased");
        assertThat(article).contains("<b>" + free + "</b> free");
        assertThat(article.contains("kept for later")).isEqualTo(!reserved.equals("0"));
        if (!reserved.equals("0")) {
            assertThat(article).contains("<b>" + reserved + "</b> kept for later");
        }
    }

    private void assertAlert(String scope, String text) {
        await().atMost(SOON)
                .untilAsserted(() ->
                        assertThat(service.part(AlertService.class).current())
                                .filteredOn(it -> it.kind() == Alert.Kind.POOL_FULL)
                                .filteredOn(it -> it.subject().equals(scope))
                                .singleElement()
                                .extracting(Alert::text)
                                .isEqualTo(text));
    }

    private void awaitMetric(String scope, String state, int groups) {
        String line =
                "madcast_groups{scope=\"%s\",state=\"%s\"} %d.0".formatted(scope, state, groups);
        await().atMost(SOON)
                .untilAsserted(
                        () -> assertThat(rest.get("/actuator/prometheus").text()).contains(line));
    }

    private JsonNode view(String name) {
        for (JsonNode item : rest.get("/v1/scopes").json().path("items")) {
            if (item.path("name").asString().equals(name)) {
                return item;
            }
        }
        throw new AssertionError("no scope " + name);
    }

    private static String later(int seconds) {
        return "'startsAt':'" + Instant.now().plusSeconds(seconds) + "','durationSeconds':600";
    }

    private Answer grant(String scope, String more) {
        Answer answer =
                rest.post(
                        "/v1/leases",
                        ("{'job':'filling','scope':'"
                                        + scope
                                        + (more.isEmpty() ? "'" : "',")
                                        + more
                                        + "}")
                                .replace('\'', '"'));
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return answer;
    }
}

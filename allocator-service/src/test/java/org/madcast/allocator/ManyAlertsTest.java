package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.madcast.allocator.alert.Alert;
import org.madcast.allocator.alert.AlertService;

/** More alerts than a page has room for are counted all the same. */
class ManyAlertsTest {

    private static final int NODES = 450;
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Pattern SILENT =
            Pattern.compile("madcast_alerts\\{kind=\"node-silent\"\\} (\\d+)\\.0");

    private final RunningService service = RunningService.shared();
    private final Rest rest = service.rest();

    @AfterEach
    void forget() {
        service.jdbc().sql("delete from fleet_node where name like 'many-%'").update();
        await().atMost(SOON).until(() -> counted() < NODES);
    }

    @Test
    void allAreCountedAndThoseOfOneKindHideNoOther() {
        service.jdbc()
                .sql(
                        """
                        insert into fleet_node (name, body, interval_seconds, seen_at)
                        select 'many-' || n, json_build_object('name', 'many-' || n,
                                'intervalSeconds', 1, 'active', 0, 'complete', 0, 'partly', 0,
                                'broken', 0, 'files', 0, 'bytes', 0),
                            1, now() - interval '1 hour'
                        from generate_series(1, ?) as n
                        """)
                .param(NODES)
                .update();
        await().atMost(SOON).until(() -> counted() >= NODES);
        assertThat(service.part(AlertService.class).current())
                .filteredOn(it -> it.kind() == Alert.Kind.NODE_SILENT)
                .hasSizeGreaterThanOrEqualTo(NODES);
        String page = rest.get("/?alerts=all").text();
        assertThat(page.split("<strong>many-", -1).length - 1).isBetween(150, 250);
        assertThat(page).contains("Only the first 200 of each kind are shown");
        assertThat(rest.get("/").text()).doesNotContain("Only the first 200");
        assertThat(rest.get("/node?name=many-7").text().split("<strong>many-", -1)).hasSize(2);
    }

    private long counted() {
        return SILENT.matcher(rest.get("/actuator/prometheus").text())
                .results()
                .mapToLong(it -> Long.parseLong(it.group(1)))
                .sum();
    }
}

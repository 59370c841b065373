package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.madcast.allocator.Rest.Answer;

class ReportAndPagesTest {

    private final RunningService service = RunningService.shared();
    private final Rest rest = service.rest();
    private final UUID instance = UUID.randomUUID();
    private final String job = RunningService.newJob();
    private String id = "";
    private String secret = "";

    @BeforeEach
    void makeCommunicator() {
        id =
                rest.post(
                                "/v1/communicators",
                                "{\"job\":\"%s\",\"name\":\"world\",\"size\":1}".formatted(job))
                        .string("id");
        secret = CommunicatorRestTest.join(rest, id, 0, instance).string("memberSecret");
    }

    @Test
    void aReportThatCameBeforeCountsOnce() {
        assertThat(report(1, 10, secret).string("rootDelayMicros")).isEqualTo("0");
        report(1, 10, secret);
        report(2, 20, secret);
        report(1, 10, secret);
        assertThat(broadcasts()).isEqualTo(2 * 3);
        assertThat(
                        service.jdbc()
                                .sql(
                                        "select counters->>'datagramsSent' from report"
                                                + " where communicator_id = ?::uuid")
                                .param(id)
                                .query(String.class)
                                .single())
                .isEqualTo("20");
    }

    @Test
    void onlyTheMemberItselfReports() {
        assertThat(report(1, 10, "guess").problem()).isEqualTo("no-such-member");
        assertThat(broadcasts()).isZero();
        Answer several = rest.post("/v1/reports", "{\"rank\":-1}");
        assertThat(several.problem()).isEqualTo("invalid-request");
        assertThat(several.text()).contains("\"field\":\"rank\"", "\"field\":\"counters\"");
        String ids = "\"communicatorId\":\"%1$s\",\"instance\":\"%1$s\",\"sequence\":1";
        ids = ids.formatted(UUID.randomUUID());
        Answer wrong = rest.post("/v1/reports", "{" + ids + ",\"rank\":-1}");
        assertThat(wrong.problem()).isEqualTo("invalid-request");
        assertThat(wrong.json().at("/errors/0/field").asString()).isEqualTo("rank");
        Answer empty = rest.post("/v1/reports", "{" + ids + ",\"rank\":0}");
        assertThat(empty.problem()).isEqualTo("invalid-request");
        assertThat(empty.json().at("/errors/0/field").asString()).isEqualTo("counters");
    }

    @Test
    void theDashboardShowsRanksAndBroadcastsAlsoAfterTheEnd() {
        report(1, 123_456, secret);
        rest.delete("/v1/communicators/" + id + "/members/0", "Madcast-Member-Secret", secret);
        Answer overview = rest.get("/");
        assertThat(overview.status()).isEqualTo(200);
        assertThat(overview.text()).contains("<!DOCTYPE html>", job, "239.192.0.0/14", "htmx");
        Answer page = rest.get("/communicators/" + id);
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.text())
                .contains(
                        "123\u202f456",
                        "64 to 128 KiB",
                        "once",
                        "stale 4",
                        "1.50 ms",
                        "left",
                        "nio");
        assertThat(page.response().headers().firstValue("Content-Security-Policy"))
                .hasValueSatisfying(it -> assertThat(it).contains("default-src 'self'"));
        Answer part = rest.get("/fragments/communicators/" + id);
        assertThat(part.text()).contains("123\u202f456").doesNotContain("<html");
        assertThat(rest.get("/fragments/overview").text()).contains(job).doesNotContain("<html");
    }

    /** The axis begins when the job did, and ends with it. */
    @Test
    void theHistoryOfAShortJobFillsTheWidth() {
        report(1, 1, secret);
        report(2, 2, secret);
        rest.delete("/v1/communicators/" + id + "/members/0", "Madcast-Member-Secret", secret);
        service.jdbc()
                .sql(
                        """
                        update communicator set created_at = created_at - interval '59 s',
                            completed_at = completed_at - interval '59 s' where id = ?::uuid
                        """)
                .param(id)
                .update();
        String page = rest.get("/communicators/" + id).text();
        long from = axis(page, "from");
        long to = axis(page, "to");
        assertThat(to - from).isBetween(59L, 75L);
        assertThat(page).contains("id=\"chart-throughput\"", "Mbit/s", "id=\"chart-site-64KiB-\"");
        assertThat(rest.get("/communicators/" + id + "?span=5m").text())
                .contains("aria-current=\"true\">5 minutes");
    }

    private static long axis(String page, String end) {
        java.util.regex.Matcher found =
                java.util.regex.Pattern.compile("data-" + end + "=\"(\\d+)\"").matcher(page);
        assertThat(found.find()).as(end).isTrue();
        return Long.parseLong(found.group(1));
    }

    @Test
    void earlyAndLateRanksAndThePhasesAreShown() {
        Answer sent =
                rest.post(
                        "/v1/reports",
                        """
                        {"communicatorId":"%s","rank":0,"instance":"%s","sequence":1,
                         "counters":{"fragmentsUseful":10},
                         "rejected":{"own-echo":5899,"bad-checksum":3},
                         "broadcasts":[{"sizeClass":"64KiB..","algorithm":"once","count":4,
                            "bytes":400000,"rootDelayMicros":100,
                            "arrivals":{"early":{"80":3},"late":{"1":1},"lostLate":1,
                                "lostLateNs":400000,"lostEarly":0,"lostEarlyNs":0},
                            "durationNs":{"p50":2000000,"p99":2000000,"max":2000000,"sum":8000000}}]}
                        """
                                .formatted(id, instance),
                        "Madcast-Member-Secret",
                        secret);
        assertThat(sent.status()).as(sent.text()).isEqualTo(200);
        String page = rest.get("/communicators/" + id).text();
        // 3 of 4 came 0.9 to 1 ms before the root, 1 within a microsecond after it
        assertThat(page)
                .contains("Early and late ranks", "75 %", "25 %", "waiting for the root")
                .contains(">2.00 ms<", "data on its way");
        assertThat(page).contains("bad-checksum 3").contains("harmless: own-echo 5\u202f899");
        assertThat(page).doesNotContain("bad-checksum 3, own-echo");
    }

    @Test
    void whatThePagesNeedComesFromTheService() {
        String page = rest.get("/").text();
        assertThat(page).doesNotContain("http://", "https://cdn");
        for (String path :
                new String[] {
                    "/webjars/htmx.org/2.0.10/dist/htmx.min.js",
                    "/webjars/picocss__pico/2.1.1/css/pico.min.css",
                    "/webjars/uplot/1.6.30/dist/uPlot.iife.min.js",
                    "/webjars/uplot/1.6.30/dist/uPlot.min.css",
                    "/dashboard/charts.js",
                    "/dashboard/madcast.css",
                    "/dashboard/icon.svg"
                }) {
            assertThat(page).contains(path);
            assertThat(rest.get(path).status()).as(path).isEqualTo(200);
        }
        assertThat(rest.get("/communicators/" + UUID.randomUUID()).status()).isEqualTo(404);
    }

    @Test
    void namesAreTextNotMarkup() {
        rest.post("/v1/leases", "{\"job\":\"<script>alert(1)</script>\"}");
        assertThat(rest.get("/").text())
                .contains("&lt;script&gt;alert(1)")
                .doesNotContain("<script>alert");
    }

    @Test
    void healthAndMetricsAreThere() {
        assertThat(rest.get("/actuator/health").string("status")).isEqualTo("UP");
        report(1, 1, secret);
        await().atMost(Duration.ofSeconds(60))
                .until(() -> rest.get("/actuator/prometheus").text().contains("madcast_groups{"));
        assertThat(rest.get("/actuator/prometheus").text())
                .contains(
                        "madcast_lease_grants_total{scope=\"default\"}",
                        "madcast_reports_total{repeated=\"false\"}");
        assertThat(rest.get("/actuator/env").status()).isEqualTo(404);
    }

    private long broadcasts() {
        return service.jdbc()
                .sql(
                        """
                        select coalesce(sum((site->'totals'->>0)::bigint), 0)
                        from statistics_interval, json_array_elements(sums->'sites') as site
                        where communicator_id = ?::uuid and level = 0
                        """)
                .param(id)
                .query(Long.class)
                .single();
    }

    private Answer report(int sequence, int sent, String shown) {
        return rest.post(
                "/v1/reports",
                """
                {"communicatorId":"%s","rank":0,"instance":"%s","sequence":%d,
                 "counters":{"datagramsSent":%d,"fragmentsUseful":1000,"fragmentsLost":10,
                    "repairP99Ns":1500000},
                 "rejected":{"stale":4},"socketPath":"nio",
                 "broadcasts":[{"sizeClass":"64KiB..","algorithm":"once","count":3,"bytes":300000,
                    "durationNs":{"p50":1000000,"p99":2000000,"max":3000000,"sum":3500000}}]}
                """
                        .formatted(id, instance, sequence, sent),
                "Madcast-Member-Secret",
                shown);
    }
}

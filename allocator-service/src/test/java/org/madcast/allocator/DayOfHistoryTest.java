package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A communicator of 32 ranks that has reported for a day, a year even. */
class DayOfHistoryTest {

    private static final int RANKS = 32;
    private static final int TIMES = 9;
    private static final int HOURS_OF_A_YEAR = 8736;

    /** What a page may take, alone on the machine. */
    private static final double MOST_MS = 300;

    private final RunningService service = RunningService.shared();
    private final Rest rest = service.rest();

    private String communicator() {
        return rest.post(
                        "/v1/communicators",
                        "{\"job\":\"%s\",\"name\":\"world\",\"size\":%d,\"durationSeconds\":3600}"
                                .formatted(UUID.randomUUID(), RANKS))
                .string("id");
    }

    private static String column(int factor) {
        return IntStream.range(0, RANKS)
                .mapToObj(it -> String.valueOf((long) factor * (it + 1)))
                .collect(Collectors.joining(",", "[", "]"));
    }

    /** What a minute of 32 ranks, two sites and full histograms looks like. */
    private static String minute(int lost) {
        String ranks =
                IntStream.range(0, RANKS)
                        .mapToObj(String::valueOf)
                        .collect(Collectors.joining(",", "[", "]"));
        String buckets =
                IntStream.range(70, 110)
                        .mapToObj(it -> it + "," + 3 * it)
                        .collect(Collectors.joining(",", "[", "]"));
        String site =
                "{\"size\":\"%s\",\"label\":\"\",\"algorithm\":\"once\","
                        + "\"totals\":[9600,960000000,13440000000,9000000,0,0,0],"
                        + "\"buckets\":%s,\"early\":%s,\"late\":%s}";
        return """
        {"ranks":%s,"counts":{"broadcasts":%s,"message_bytes":%s,"datagrams_sent":%s,
            "datagrams_received":%s,"fragments_useful":%s,"fragments_lost":%s,
            "durations":%s,"duration_ns":%s},
         "sites":[%s,%s]}
        """
                .formatted(
                        ranks,
                        column(300),
                        column(30_000_000),
                        column(700),
                        column(21_000),
                        column(20_000),
                        column(lost),
                        column(300),
                        column(420_000_000),
                        site.formatted("64KiB..", buckets, buckets, buckets),
                        site.formatted("1MiB..", buckets, buckets, buckets));
    }

    /** Fills that many rows, each {@code step} units older than the one before. */
    private void fill(String id, int level, String unit, int rows, int step) {
        for (int lost = 0; lost < 4; lost++) {
            service.jdbc()
                    .sql(
                            """
                            insert into statistics_interval (level, communicator_id, at, sums)
                            select ?, ?::uuid,
                                date_trunc(?, now()) - ? * (4 * n + ?) * ('1 ' || ?)::interval, ?::json
                            from generate_series(0, ?) as n
                            """)
                    .params(level, id, unit, step, lost, unit, minute(300 * lost), rows / 4 - 1)
                    .update();
        }
    }

    @Test
    void aDayAndAYearAreShown() {
        String id = communicatorWithHistory(HOURS_OF_A_YEAR / 8);
        String day = rest.get("/communicators/" + id + "?span=24h").text();
        assertThat(day).contains("rank 31", "64 to 128 KiB", "1 to 2 MiB");
        // 96 steps of a quarter of an hour: each rank has a cell for each
        assertThat(day.split("class=\"grid loss\"", -1)).hasSize(2);
        assertThat(cells(day, "grid loss")).isBetween(95 * RANKS, 96 * RANKS);
        assertThat(rest.get("/communicators/" + id + "?span=1y").text()).contains("rank 31");
    }

    /** A communicator of which each minute of a day is known, and this many hours of a year. */
    private String communicatorWithHistory(int hours) {
        String id = communicator();
        fill(id, 1, "minute", 1440, 1);
        fill(id, 2, "hour", hours, HOURS_OF_A_YEAR / hours);
        return id;
    }

    @Test
    @Tag("performance")
    void aDayIsShownAtOnce() {
        String id = communicatorWithHistory(HOURS_OF_A_YEAR);
        double dayMs = medianMs("/communicators/" + id + "?span=24h", TIMES);
        double yearMs = medianMs("/communicators/" + id + "?span=1y", 1);
        System.out.printf("a day: %.0f ms, a year: %.0f ms%n", dayMs, yearMs);
        assertThat(dayMs).isLessThan(MOST_MS);
    }

    private static int cells(String page, String kind) {
        int start = page.indexOf(kind);
        String svg = page.substring(start, page.indexOf("</svg>", start));
        return svg.split("M[0-9]", -1).length - 1;
    }

    private double medianMs(String path, int times) {
        List<Double> tookMs = new ArrayList<>();
        for (int i = -times; i < times; i++) {
            long startNs = System.nanoTime();
            assertThat(rest.get(path).status()).isEqualTo(200);
            if (i >= 0) {
                tookMs.add((System.nanoTime() - startNs) / 1e6);
            }
        }
        tookMs.sort(null);
        return tookMs.get(times / 2);
    }
}

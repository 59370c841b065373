package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.madcast.allocator.Rest.Answer;

/** Reports to two replicas at once are counted once each, on every level. */
class RollupTest {

    private static final int RANKS = 4;
    private static final int REPORTS = 25;

    private final RunningService service = RunningService.shared();
    private final Rest rest = service.rest();
    private final String job = RunningService.newJob();

    private record Rank(String communicator, int rank, UUID instance, String secret) {

        Answer report(Rest to, int sequence) {
            return to.post(
                    "/v1/reports",
                    """
                    {"communicatorId":"%s","rank":%d,"instance":"%s","sequence":%d,
                     "counters":{"broadcasts":%d,"fragmentsUseful":%d,"fragmentsLost":%d},
                     "rejected":{"stale":%d},"dropped":0,
                     "broadcasts":[{"sizeClass":"64KiB..","label":"loop","algorithm":"once",
                        "count":2,"bytes":200000,"buckets":{"80":1,"96":1},
                        "durationNs":{"p50":1000000,"p99":2000000,"max":2500000,"sum":3000000}}]}
                    """
                            .formatted(
                                    communicator,
                                    rank,
                                    instance,
                                    sequence,
                                    2 * sequence,
                                    100 * sequence,
                                    sequence,
                                    3 * sequence),
                    "Madcast-Member-Secret",
                    secret);
        }
    }

    private List<Rank> ranks() {
        String id =
                rest.post(
                                "/v1/communicators",
                                "{\"job\":\"%s\",\"name\":\"world\",\"size\":%d}"
                                        .formatted(job, RANKS))
                        .string("id");
        List<Rank> ranks = new ArrayList<>();
        for (int i = 0; i < RANKS; i++) {
            UUID instance = UUID.randomUUID();
            String secret = CommunicatorRestTest.join(rest, id, i, instance).string("memberSecret");
            ranks.add(new Rank(id, i, instance, secret));
        }
        return ranks;
    }

    @Test
    void sumsAreExactAcrossReplicas() throws Exception {
        List<Rank> ranks = ranks();
        try (RunningService replica = RunningService.replica();
                ExecutorService threads = Executors.newFixedThreadPool(2 * RANKS)) {
            List<Future<?>> all = new ArrayList<>();
            for (Rank rank : ranks) {
                // each replica hears each report
                all.add(threads.submit(() -> reportAll(rank, rest)));
                all.add(threads.submit(() -> reportAll(rank, replica.rest())));
            }
            for (Future<?> each : all) {
                each.get();
            }
            String id = ranks.getFirst().communicator();
            await().atMost(Duration.ofSeconds(60)).until(() -> unrolled(id) == 0);
            for (int level = 0; level <= 3; level++) {
                assertThat(sum(id, level, "fragments_lost"))
                        .as("level %d", level)
                        .isEqualTo((long) RANKS * REPORTS);
                assertThat(sum(id, level, "rejected")).isEqualTo(3L * RANKS * REPORTS);
                assertThat(sum(id, level, "fragments_useful")).isEqualTo(100L * RANKS * REPORTS);
                // each replica counts what it heard first: none is counted by both
                assertThat(broadcasts(id, level)).isEqualTo(2L * RANKS * REPORTS);
            }
        }
    }

    private static void reportAll(Rank rank, Rest to) {
        for (int sequence = 1; sequence <= REPORTS; sequence++) {
            assertThat(rank.report(to, sequence).status()).isEqualTo(200);
        }
    }

    @Test
    void whatIsTooOldIsForgottenOnItsLevelOnly() {
        Rank rank = ranks().getFirst();
        assertThat(rank.report(rest, 1).status()).isEqualTo(200);
        String id = rank.communicator();
        await().atMost(Duration.ofSeconds(60)).until(() -> unrolled(id) == 0);
        shift(id, 0, "61 minutes");
        shift(id, 1, "6 days");
        shift(id, 2, "366 days");
        await().atMost(Duration.ofSeconds(60)).until(() -> rows(id, 0) == 0 && rows(id, 2) == 0);
        assertThat(rows(id, 1)).isEqualTo(1);
        assertThat(rows(id, 3)).isEqualTo(1);
        shift(id, 1, "2 days");
        await().atMost(Duration.ofSeconds(60)).until(() -> rows(id, 1) == 0);
    }

    private void shift(String id, int level, String age) {
        service.jdbc()
                .sql(
                        "update statistics_interval set at = at - ?::interval"
                                + " where communicator_id = ?::uuid and level = ?")
                .params(age, id, level)
                .update();
    }

    private long rows(String id, int level) {
        return count(
                "select count(*) from statistics_interval"
                        + " where communicator_id = ?::uuid and level = "
                        + level,
                id);
    }

    private long unrolled(String id) {
        return count(
                "select count(*) from statistics_interval"
                        + " where communicator_id = ?::uuid and level = 0 and not rolled",
                id);
    }

    private long sum(String id, int level, String column) {
        return count(
                "select sum(v.value::bigint) from statistics_interval, "
                        + "json_array_elements_text(sums->'counts'->'"
                        + column
                        + "') as v"
                        + " where communicator_id = ?::uuid and level = "
                        + level,
                id);
    }

    private long broadcasts(String id, int level) {
        return count(
                "select sum((site->'totals'->>0)::bigint) from statistics_interval,"
                        + " json_array_elements(sums->'sites') as site"
                        + " where communicator_id = ?::uuid and level = "
                        + level,
                id);
    }

    private long count(String sql, String id) {
        return service.jdbc().sql(sql).param(id).query(Long.class).single();
    }
}

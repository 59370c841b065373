package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.allocator.Rest.Answer;

/** One job that counts nonsense, or names everything, does no harm to others nor to itself. */
class HostileCountsTest {

    private static final Duration SOON = Duration.ofSeconds(60);

    private final RunningService service = RunningService.shared();
    private final Rest rest = service.rest();
    private final UUID[] instances = {UUID.randomUUID(), UUID.randomUUID()};
    private final String[] secrets = new String[2];
    private final String id;

    HostileCountsTest() {
        id =
                rest.post(
                                "/v1/communicators",
                                "{\"job\":\"%s\",\"name\":\"world\",\"size\":2}"
                                        .formatted(RunningService.newJob()))
                        .string("id");
        for (int rank = 0; rank < 2; rank++) {
            secrets[rank] =
                    CommunicatorRestTest.join(rest, id, rank, instances[rank])
                            .string("memberSecret");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'counters':{'fragmentsUseful':MUCH}|counters.fragmentsUseful",
                "'counters':{'messageBytes':MUCH}|counters.messageBytes",
                "'counters':{'repairP99Ns':MUCH}|counters.repairP99Ns",
                "'counters':{},'dropped':MUCH|dropped",
                "'counters':{},'rejected':{'stale':MUCH}|rejected[stale]",
                "'counters':{},'broadcasts':[SITE,'count':MUCH}]|broadcasts[0].count",
                "'counters':{},'broadcasts':[SITE,'buckets':{'80':MUCH}}]|broadcasts[0].buckets",
                "'counters':{},'broadcasts':[SITE,'rootDelayMicros':MUCH}]"
                        + "|broadcasts[0].rootDelayMicros",
                "'counters':{},'broadcasts':[SITE,'arrivals':{'early':{},'late':{},"
                        + "'lostLateNs':MUCH}}]|broadcasts[0].arrivals.lostLateNs",
            })
    void countsThatNobodyCanReachAreRefused(String text) {
        List<String> parts = List.of(text.split("\\|"));
        Answer answer = report(0, 1, parts.getFirst().replace("MUCH", "9223372036854775807"));
        assertThat(answer.status()).as(answer.text()).isEqualTo(400);
        assertThat(answer.json().at("/errors/0/field").asString()).isEqualTo(parts.getLast());
        Answer most = report(0, 1, parts.getFirst().replace("MUCH", "9007199254740992"));
        assertThat(most.status()).as(most.text()).isEqualTo(200);
    }

    /** As versions before this one have stored them. */
    @Test
    void theLargestCountsBreakNoPage() {
        assertThat(report(0, 1, "'counters':{'fragmentsUseful':7}").status()).isEqualTo(200);
        assertThat(report(1, 1, "'counters':{'fragmentsUseful':7}").status()).isEqualTo(200);
        service.jdbc()
                .sql(
                        """
                        update report set totals = array(
                            select 9223372036854775807 from unnest(totals))
                        where communicator_id = ?::uuid
                        """)
                .param(id)
                .update();
        for (int i = 0; i < 2; i++) {
            service.jdbc()
                    .sql(
                            """
                            insert into statistics_interval (level, communicator_id, at, sums)
                            values (0, ?::uuid, now(), replace('{"ranks":[0,1],
                                "counts":{"fragments_useful":[MUCH,MUCH],"foreign":[MUCH,MUCH],
                                    "broadcasts":[MUCH,MUCH],"message_bytes":[MUCH,MUCH],
                                    "durations":[MUCH,MUCH],"duration_ns":[MUCH,MUCH]},
                                "sites":[{"size":"64KiB..","algorithm":"once",
                                    "totals":[MUCH,MUCH,MUCH,MUCH,MUCH,MUCH,MUCH,MUCH,MUCH],
                                    "buckets":[80,MUCH,81,MUCH,96,MUCH],
                                    "early":[80,MUCH,90,MUCH],"late":[80,MUCH,90,MUCH]}]}',
                                'MUCH', '9223372036854775807')::json)
                            """)
                    .param(id)
                    .update();
        }
        awaitRolled();
        for (String page :
                List.of("/nodes", "/", "/communicators/" + id, "/v1/communicators/" + id)) {
            Answer answer = rest.get(page);
            assertThat(answer.status()).as(page + answer.text()).isEqualTo(200);
        }
        assertThat(rest.get("/actuator/prometheus").text().lines())
                .filteredOn(it -> it.startsWith("madcast_"))
                .noneMatch(it -> it.contains(" -"));
    }

    @Test
    void namesBeyondMeasureAreCountedTogether() {
        for (int sequence = 1; sequence <= 12; sequence++) {
            String part = "part" + sequence;
            String sites =
                    IntStream.range(0, 100)
                            .mapToObj(i -> site("64KiB..", part + "-" + i, "once"))
                            .collect(Collectors.joining(","));
            report(0, sequence, "'counters':{},'broadcasts':[" + sites + "]");
            if (sequence % 4 == 0) {
                awaitRolled();
            }
        }
        report(1, 1, "'counters':{},'broadcasts':[" + site("64KiB..", "part1-0", "once") + "]");
        awaitRolled();
        for (int level = 1; level <= 3; level++) {
            assertThat(mostSites(level)).as("level %d", level).isBetween(200L, 257L);
            assertThat(sites(level, "sum((site->'totals'->>0)::bigint)")).isEqualTo(2 * 1201);
            assertThat(sites(level, "sum((site->'totals'->>1)::bigint)")).isEqualTo(50 * 1201);
            assertThat(sites(level, "sum((site->'buckets'->>1)::bigint)")).isEqualTo(2 * 1201);
        }
        // what was there first stays told apart
        assertThat(
                        sites(
                                3,
                                "sum((site->'totals'->>0)::bigint) filter"
                                        + " (where site->>'label' = 'part1-0')"))
                .isEqualTo(4);
        Answer page = rest.get("/communicators/" + id);
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.text().split("<figure", -1).length).isLessThan(390);
    }

    @Test
    void sizesAndAlgorithmsBeyondMeasureAreCountedTogetherToo() {
        for (int sequence = 1; sequence <= 5; sequence++) {
            String part = "size" + sequence;
            String sites =
                    IntStream.range(0, 100)
                            .mapToObj(i -> site(part + "-" + i, "label", "algorithm" + i))
                            .collect(Collectors.joining(","));
            report(0, sequence, "'counters':{},'broadcasts':[" + sites + "]");
        }
        awaitRolled();
        assertThat(sites(3, "count(*)")).isBetween(200L, 385L);
        assertThat(sites(3, "sum((site->'totals'->>0)::bigint)")).isEqualTo(2 * 500);
    }

    private static String site(String size, String label, String algorithm) {
        return ("{'sizeClass':'%s','label':'%s','algorithm':'%s','count':2,'bytes':50,"
                        + "'durationNs':{'max':9,'sum':18},'buckets':{'40':2}}")
                .formatted(size, label, algorithm);
    }

    private Answer report(int rank, int sequence, String more) {
        return rest.post(
                "/v1/reports",
                ("{'communicatorId':'"
                                + id
                                + "','rank':"
                                + rank
                                + ",'instance':'"
                                + instances[rank]
                                + "','sequence':"
                                + sequence
                                + ","
                                + more
                                + "}")
                        .replace(
                                "SITE",
                                "{'sizeClass':'1','algorithm':'once','durationNs':{'max':1}")
                        .replace('\'', '"'),
                "Madcast-Member-Secret",
                secrets[rank]);
    }

    private void awaitRolled() {
        await().atMost(SOON)
                .until(() ->
                        service.jdbc()
                                        .sql(
                                                """
                                                select count(*) from statistics_interval
                                                where communicator_id = ?::uuid and level = 0
                                                    and not rolled
                                                """)
                                        .param(id)
                                        .query(Long.class)
                                        .single()
                                == 0);
    }

    /** How many names the row of a level has that has the most. */
    private long mostSites(int level) {
        return service.jdbc()
                .sql(
                        """
                        select max(json_array_length(sums->'sites')) from statistics_interval
                        where communicator_id = ?::uuid and level = ?
                        """)
                .params(id, level)
                .query(Long.class)
                .single();
    }

    /** Of a level's rows, of which there may be two where a minute or an hour ended meanwhile. */
    private long sites(int level, String what) {
        return service.jdbc()
                .sql(
                        "select "
                                + what
                                + " from statistics_interval,"
                                + " json_array_elements(sums->'sites') as site"
                                + " where communicator_id = ?::uuid and level = ?")
                .params(id, level)
                .query(Long.class)
                .single();
    }
}

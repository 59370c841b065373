package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/** A job whose rank 2 loses much, and on whose group somebody else sends. */
final class SampleJob {

    private final Rest rest;
    private final String name;
    private final String id;
    private final String leaseId;
    private final List<UUID> instances = new ArrayList<>();
    private final List<String> secrets = new ArrayList<>();
    private long sent;
    private int reports;

    private SampleJob(Rest rest, String name, Rest.Answer made) {
        this.rest = rest;
        this.name = name;
        this.id = made.string("id");
        this.leaseId = made.json().path("lease").path("id").asString();
    }

    static SampleJob start(Rest rest, String name, int ranks) {
        Rest.Answer made =
                rest.post(
                        "/v1/communicators",
                        "{\"job\":\"%s\",\"name\":\"world\",\"size\":%d,\"durationSeconds\":3600}"
                                .formatted(name, ranks));
        SampleJob job = new SampleJob(rest, name, made);
        for (int rank = 0; rank < ranks; rank++) {
            UUID instance = UUID.randomUUID();
            job.instances.add(instance);
            Rest.Answer joined = CommunicatorRestTest.join(rest, job.id, rank, instance);
            assertThat(joined.status()).as(joined.text()).isEqualTo(200);
            job.secrets.add(joined.string("memberSecret"));
        }
        return job;
    }

    String name() {
        return name;
    }

    String id() {
        return id;
    }

    String leaseId() {
        return leaseId;
    }

    /** What rank 0 has sent. */
    long sent() {
        return sent;
    }

    static String shown(long count) {
        return String.format(Locale.ROOT, "%,d", count).replace(',', '\u202f');
    }

    /** All ranks leave. */
    void end() {
        for (int rank = 0; rank < secrets.size(); rank++) {
            String path = "/v1/communicators/" + id + "/members/" + rank;
            rest.delete(path, "Madcast-Member-Secret", secrets.get(rank));
        }
    }

    /** Every rank's next report. */
    void reportAgain() {
        report(reports + 1);
    }

    /** Every rank's report of that number. */
    void report(int sequence) {
        reports = sequence;
        sent = 22_345L * sequence;
        for (int rank = 0; rank < secrets.size(); rank++) {
            long lost = rank == 2 ? 1_450L * sequence : rank == 0 ? 0 : 3L * sequence * rank;
            long useful = rank == 0 ? 0 : 20_000L * sequence;
            Rest.Answer answer =
                    rest.post(
                            "/v1/reports",
                            body(sequence, rank, lost, useful),
                            "Madcast-Member-Secret",
                            secrets.get(rank));
            assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        }
    }

    private String body(int sequence, int rank, long lost, long useful) {
        return """
        {"communicatorId":"%s","rank":%d,"instance":"%s","sequence":%d,"socketPath":"native",
         "counters":{"broadcasts":%d,"messageBytes":%d,"datagramsSent":%d,"datagramsReceived":%d,
            "fragmentsUseful":%d,"fragmentsLost":%d,"repairsReceived":%d,"repairsSent":%d,
            "foreign":%d,"repairP99Ns":1500000},
         "rejected":{"foreign":%d},"foreignSenders":[%s],
         "broadcasts":[
           {"sizeClass":"64KiB..","algorithm":"once","count":30,"bytes":3000000,
            "buckets":{"80":20,"88":8,"104":2},
            "durationNs":{"p50":1000000,"p99":8000000,"max":9000000,"sum":42000000}},
           {"sizeClass":"64KiB..","label":"pivots","algorithm":"once","count":30,"bytes":3000000,
            "buckets":{"96":20,"104":8,"108":2},"rootDelayMicros":0,
            "arrivals":{"early":{},"late":{"105":30},"lostLate":30,"lostLateNs":900000000},
            "durationNs":{"p50":4000000,"p99":9000000,"max":12000000,"sum":150000000}},
           {"sizeClass":"1MiB..","algorithm":"chain","count":4,"bytes":5000000,
            "buckets":{"120":3,"126":1},
            "durationNs":{"p50":33000000,"p99":52000000,"max":55000000,"sum":150000000}}]}
        """
                .formatted(
                        id,
                        rank,
                        instances.get(rank),
                        sequence,
                        34 * sequence,
                        8_000_000L * sequence,
                        rank == 0 ? 22_345L * sequence : 700L * sequence,
                        rank == 0 ? 900L * sequence : 21_000L * sequence,
                        useful,
                        lost,
                        lost,
                        rank == 0 ? 900L * sequence : 0,
                        rank == 3 ? 12L * sequence : 0,
                        rank == 3 ? 12L * sequence : 0,
                        rank == 3 ? "\"10.0.9.14:5004\"" : "");
    }
}

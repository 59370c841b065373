package org.madcast.allocator.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A report is within its limits, or is refused with an exception of the reader. */
class ReportTest {

    private static final String FULL =
            """
            {"communicatorId":"0198c0de-0000-7000-8000-00000000abcd","rank":3,
             "instance":"0198c0de-1111-7000-8000-00000000abcd","sequence":17,"dropped":2,
             "socketPath":"native",
             "counters":{"broadcasts":300,"messageBytes":30000000,"datagramsSent":700,
               "datagramsReceived":21000,"fragmentsUseful":20000,"fragmentsDuplicate":1,
               "fragmentsLost":60,"repairsSent":5,"repairsReceived":60,"repairRequestsSent":4,
               "foreign":12,"repairP99Ns":1500000},
             "rejected":{"stale":4,"foreign":12},
             "broadcasts":[
               {"sizeClass":"64KiB..","label":"pivots","algorithm":"once","count":300,
                "bytes":30000000,"buckets":{"0":1,"78":40,"241":3},"rootDelayMicros":250,
                "arrivals":{"early":{"60":100},"late":{"30":100},"lostEarly":1,
                  "lostEarlyNs":7,"lostLate":2,"lostLateNs":9},
                "durationNs":{"p50":1000000,"p99":8000000,"max":9000000,"sum":420000000}},
               {"sizeClass":"1MiB..","algorithm":"chain","durationNs":{}}]}
            """;

    private static final String LEAST =
            """
            {"communicatorId":"0198c0de-0000-7000-8000-00000000abcd","rank":0,
             "instance":"0198c0de-1111-7000-8000-00000000abcd","sequence":0,"counters":{}}
            """;

    /** What the pieces of a report are replaced by. */
    private static final String[] PIECES = {
        "-1",
        "0",
        "007",
        "65536",
        "1.5",
        "1e3",
        "99999999999999999999",
        "null",
        "true",
        "\"\"",
        "\" \"",
        "\"x\"",
        "\"7\"",
        "\"\\u0001\"",
        "\"\u00e9\"",
        "[]",
        "{}",
        "{\"242\":1}",
        "{\"-1\":1}",
        "{\"07\":1}",
        "{\"7\":-1}",
        "{\"7\":1,\"7\":2}",
        "{\"x\":1}",
        "[null]",
        "[{}]",
        "\"rank\"",
        "\"memberSecret\"",
        "\"surprise\"",
        "\"foreignSenders\"",
        "\"" + "y".repeat(64) + "\"",
        "\"0198c0de-1111-7000-8000-00000000ABCD\"",
        "\"0198c0de-1111-7000-8000-+0000000abc\"",
        ""
    };

    private static final JsonMapper JSON =
            JsonMapper.builder()
                    .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                    .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                    .build();

    private static Optional<Report> read(String text) {
        try {
            return Optional.of(JSON.readValue(text, Report.class));
        } catch (JacksonException refused) {
            return Optional.empty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {FULL, LEAST})
    void everyFieldIsRead(String body) {
        Report report = read(body).orElseThrow();
        JsonNode written = JSON.valueToTree(report);
        JSON.readTree(body)
                .forEachEntry((name, value) -> assertContains(written.path(name), value, name));
    }

    /** What was not in the body is zero, empty or null. */
    private static void assertContains(JsonNode written, JsonNode read, String at) {
        if (read.isObject()) {
            read.forEachEntry(
                    (name, value) -> assertContains(written.path(name), value, at + "." + name));
        } else if (read.isArray()) {
            for (int i = 0; i < read.size(); i++) {
                assertContains(written.path(i), read.get(i), at + "[" + i + "]");
            }
        } else {
            assertThat(written.asString()).as(at).isEqualTo(read.asString());
        }
    }

    @Test
    void whatIsAcceptedIsWithinTheLimits() {
        Random random = new Random(5);
        int accepted = 0;
        int refused = 0;
        for (int i = 0; i < 20_000; i++) {
            String body = spoil(random, random.nextInt(8) == 0 ? LEAST : FULL);
            Optional<Report> report = read(body);
            if (report.isPresent()) {
                JsonNode written = JSON.valueToTree(report.get());
                assertWithinLimits(written, body);
                assertThat(JSON.treeToValue(written, Report.class))
                        .as(body)
                        .isEqualTo(report.get());
                accepted++;
            } else {
                refused++;
            }
        }
        assertThat(accepted).isGreaterThan(1000);
        assertThat(refused).isGreaterThan(1000);
    }

    private static void assertWithinLimits(JsonNode report, String body) {
        for (String name : new String[] {"communicatorId", "instance", "rank", "sequence"}) {
            assertThat(report.path(name).isNull()).as("%s of %s", name, body).isFalse();
        }
        assertThat(report.path("rank").asInt()).as(body).isBetween(0, 65535);
        assertThat(report.path("broadcasts").isArray()).as(body).isTrue();
        report.forEachEntry((_, value) -> assertValues(value, body));
    }

    private static void assertValues(JsonNode value, String body) {
        if (value.isNumber()) {
            assertThat(value.canConvertToLong()).as(body).isTrue();
            assertThat(value.asLong()).as(body).isBetween(0L, 1L << 60);
        } else if (value.isString()) {
            assertThat(value.asString()).as(body).doesNotContainPattern("\\p{Cntrl}");
            assertThat(value.asString().length()).as(body).isLessThanOrEqualTo(200);
        } else {
            value.forEach(it -> assertValues(it, body));
        }
    }

    /** Replaces or repeats a piece: a name, a value, or whatever is between two signs. */
    private static String spoil(Random random, String body) {
        int from = after(body, random.nextInt(body.length()));
        int to = after(body, from) - 1;
        if (to <= from) {
            return spoil(random, body);
        }
        int other = after(body, random.nextInt(body.length() / 2));
        String piece =
                switch (random.nextInt(4)) {
                    case 0 -> body.substring(from, to) + ',' + body.substring(from, to);
                    case 1 -> body.substring(other, Math.max(other, after(body, other) - 1));
                    default -> PIECES[random.nextInt(PIECES.length)];
                };
        return body.substring(0, from) + piece + body.substring(to);
    }

    /** Where the next piece begins: behind a sign. */
    private static int after(String body, int from) {
        int at = from;
        while (at < body.length() && ":,{}[]\n ".indexOf(body.charAt(at)) < 0) {
            at++;
        }
        return Math.min(at + 1, body.length());
    }
}

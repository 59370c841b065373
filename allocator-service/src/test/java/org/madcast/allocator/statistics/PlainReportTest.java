package org.madcast.allocator.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.validation.Validation;
import jakarta.validation.Validator;
import jakarta.validation.ValidatorFactory;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The short way of a report never takes what the ordinary way would refuse, and what it takes it
 * understands alike.
 */
class PlainReportTest {

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
                    .build();
    private static final ValidatorFactory FACTORY = Validation.buildDefaultValidatorFactory();
    private static final Validator VALIDATOR = FACTORY.getValidator();

    @AfterAll
    static void close() {
        FACTORY.close();
    }

    private static @Nullable Report plainly(String body) {
        return PlainReport.read(JSON, body.getBytes(StandardCharsets.UTF_8));
    }

    /** As the framework reads and checks it; null when it refuses. */
    private static @Nullable Report thoroughly(String text) {
        ReportController.Body body;
        try {
            body = JSON.readValue(text, ReportController.Body.class);
        } catch (JacksonException refused) {
            return null;
        }
        return VALIDATOR.validate(body).isEmpty() ? body.toReport() : null;
    }

    @ParameterizedTest
    @ValueSource(strings = {FULL, LEAST})
    void whatRanksWriteIsTaken(String body) {
        assertThat(plainly(body)).isNotNull().isEqualTo(thoroughly(body));
    }

    @Test
    void whatIsTakenWouldHaveBeenTakenAndMeansTheSame() {
        Random random = new Random(5);
        int taken = 0;
        int refused = 0;
        for (int i = 0; i < 20_000; i++) {
            String body = spoil(random, random.nextInt(8) == 0 ? LEAST : FULL);
            Report plain = plainly(body);
            Report thorough = thoroughly(body);
            if (plain != null) {
                assertThat(plain).as(body).isEqualTo(thorough);
                taken++;
            }
            refused += thorough == null ? 1 : 0;
        }
        assertThat(taken).isGreaterThan(1000);
        assertThat(refused).isGreaterThan(1000);
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

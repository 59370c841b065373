package org.madcast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What users read of what a service answers. */
class ServiceAnswersTest {

    @AutoClose private final AnsweringService service = new AnsweringService();

    @Test
    void anExhaustedPoolIsNamed() {
        service.status = 409;
        service.answer = "{\"type\":\"urn:madcast:problem:pool-exhausted\",\"scope\":\"blue\"}";
        Outcome refused = service.ask("lease grant --job j --blue-scope blue");
        assertThat(refused.code()).isEqualTo(ExitCode.POOL_EXHAUSTED.code());
        assertThat(refused.err()).contains("no group is free in scope 'blue';");
    }

    @Test
    void aScopeThatThereIsNotIsNamed() {
        service.status = 404;
        service.answer = "{\"type\":\"urn:madcast:problem:no-such-scope\",\"scope\":\"bleu\"}";
        Outcome refused = service.ask("lease grant --job j --scope bleu");
        assertThat(refused.code()).isEqualTo(ExitCode.USAGE.code());
        assertThat(refused.err())
                .contains(
                        "there is no scope 'bleu'; 'madcast scope list' shows those that there are");
    }

    @Test
    void theNextPageIsOneOfTheSameSize() {
        String lease =
                """
                {"groups":[],"scope":"s","job":"j","state":"ACTIVE",\
                "expiresAt":"2026-12-24T18:00:00Z","id":"i"}\
                """;
        service.answer = "{\"total\":7,\"items\":[" + lease + "," + lease + "," + lease + "]}";
        assertThat(service.ask("lease list --size 3").out())
                .endsWith("3 of 7; more with --page 1 --size 3\n");
        service.answer = "{\"total\":7,\"items\":[" + lease + "]}";
        assertThat(service.ask("lease list --size 3 --page 2").out())
                .endsWith("1 of 7; the others with --page 1 --size 3\n");
    }
}

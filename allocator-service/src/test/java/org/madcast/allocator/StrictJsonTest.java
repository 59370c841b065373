package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.madcast.allocator.OpenApiContract.Operation;
import org.madcast.allocator.Rest.Answer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Two fields of one name, and texts with half of a character, are refused in every body. */
class StrictJsonTest {

    private static final String HALF = "\\ud83d";
    private static final String MARK = "the-mark";

    private final Rest rest = RunningService.shared().rest();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'job':'j','job':'k'}|job",
                "{'job':'j','count':1,'layout':{'alignment':2,'alignment':4}}|layout.alignment",
                "{'job':'j','labels':{'k':'1','k':'1'}}|labels.k",
                "{'job':'\\ud800'}|job",
                "{'job':'j','labels':{'k':'a\\udc00b'}}|labels.k",
                "{'job':'j','labels':{'\\ud800':'v'}}|labels",
                "{'job':'\\ude00\\ud83d'}|job",
                "{'job':'j','\\ud800':1}|''",
            })
    void theFieldIsNamed(String body, String field) {
        Answer answer = rest.post("/v1/leases", body.replace('\'', '"'));
        assertThat(answer.status()).as(answer.text()).isEqualTo(400);
        assertThat(answer.problem()).isEqualTo("invalid-request");
        assertThat(answer.json().at("/errors/0/field").asString())
                .as(answer.text())
                .isEqualTo(field);
    }

    @Test
    void aWholePairIsACharacter() {
        String job = RunningService.newJob();
        Answer answer = rest.post("/v1/leases", "{\"job\":\"%s\\ud83d\\ude00\"}".formatted(job));
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        assertThat(answer.string("job")).isEqualTo(job + "\ud83d\ude00");
    }

    /** The bytes that half of a pair would have, were it a character. */
    @Test
    void bytesAreLookedAtToo() throws IOException, InterruptedException {
        byte[] body = "{\"job\":\"aaa\"}".getBytes(StandardCharsets.UTF_8);
        body[8] = (byte) 0xed;
        body[9] = (byte) 0xa0;
        body[10] = (byte) 0x80;
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(rest.origin() + "/v1/leases"))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofByteArray(body))
                        .build();
        HttpResponse<String> answer =
                HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(answer.body()).contains("invalid-request");
    }

    @Test
    void everyBodyIsReadLikeThis() {
        OpenApiContract contract = new OpenApiContract(rest.get("/v1/openapi").json());
        Set<String> twice = new TreeSet<>();
        Set<String> half = new TreeSet<>();
        for (Operation operation : contract.operations()) {
            JsonNode schema =
                    operation
                            .description()
                            .at("/requestBody/content")
                            .path("application/json")
                            .path("schema");
            JsonNode example = contract.resolved(schema).path("example");
            if (!(example instanceof ObjectNode body) || body.isEmpty()) {
                continue;
            }
            String first = body.propertyNames().iterator().next();
            String doubled =
                    "{\"%s\":%s,%s"
                            .formatted(first, body.path(first), body.toString().substring(1));
            requireRefused(operation, doubled, first);
            twice.add(operation.toString());
            for (Map.Entry<String, JsonNode> field : body.properties()) {
                if (field.getValue().isString()) {
                    String text =
                            body.deepCopy()
                                    .put(field.getKey(), MARK)
                                    .toString()
                                    .replace(MARK, HALF);
                    requireRefused(operation, text, field.getKey());
                    half.add(operation.toString());
                }
            }
        }
        assertThat(twice).hasSizeGreaterThanOrEqualTo(15);
        assertThat(half).hasSizeGreaterThanOrEqualTo(10);
    }

    private void requireRefused(Operation operation, String body, String field) {
        String path =
                operation
                        .path()
                        .replace("{id}", "0198c0de-0000-7000-8000-000000000003")
                        .replace("{rank}", "0")
                        .replace("{name}", "strict");
        String[] headers = {
            "Madcast-Lease-Secret", "none", "Madcast-Member-Secret", "none",
        };
        Answer answer =
                operation.method().equals("PUT")
                        ? rest.put(path, body, headers)
                        : rest.post(path, body, headers);
        assertThat(answer.status()).as("%s %s: %s", operation, body, answer.text()).isEqualTo(400);
        assertThat(answer.json().at("/errors/0/field").asString())
                .as("%s %s: %s", operation, body, answer.text())
                .isEqualTo(field);
    }
}

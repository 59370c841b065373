package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.allocator.Rest.Answer;
import tools.jackson.databind.JsonNode;

/** A lease is granted and released alike, whatever content the client accepts. */
class LeaseWaysTest {

    private static final String SECRET = "Madcast-Lease-Secret";
    private static final String TIME = "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z";
    private static final String ID = "[0-9a-f]{8}-[0-9a-f-]{27}";

    private final RunningService service = RunningService.shared();
    private final Rest rest = service.rest();

    /** All but what differs between any two leases. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'job':'ways','scope':'SCOPE'}",
                "{'job':'ways','scope':'SCOPE','count':2,'durationSeconds':60,'user':'u'}",
                "{'job':'ways','communicator':'world','scope':'SCOPE','count':5}",
                "{'job':'ways','scope':'SCOPE','labels':{'a':'b'}}",
                "{'job':'ways','scope':'nowhere'}",
                "{'job':'ways','scope':'SCOPE','durationSeconds':31536000}",
                "{'job':'ways','scope':'SCOPE','durationSeconds':31536001}",
                "{'job':'ways','scope':'SCOPE','count':0}",
                "{'job':'ways','scope':'SCOPE','count':65}",
                "{'job':'ways','scope':'SCOPE','count':1.5}",
                "{'job':'ways','scope':'SCOPE','count':'1'}",
                "{'job':'ways','scope':'SCOPE','count':99999999999999999999}",
                "{'job':'ways','scope':'SCOPE','count':null}",
                "{'job':'','scope':'SCOPE'}",
                "{'job':' ','scope':'SCOPE'}",
                "{'job':'zwei Wörter','scope':'SCOPE'}",
                "{'job':'a\\u0001','scope':'SCOPE'}",
                "{'job':7,'scope':'SCOPE'}",
                "{'job':'one','job':'two','scope':'SCOPE'}",
                "{'scope':'SCOPE'}",
                "{'job':'ways','scope':'SCOPE','surprise':1}",
                "{'job':'ways','scope':'SCOPE'} 1",
                "{'job':'ways','scope':'SCOPE'",
                "['job']",
                "",
            })
    void grants(String body) {
        String scope = service.addScope(4, 0);
        String json = body.replace("SCOPE", scope).replace('\'', '"');
        Answer quick = rest.post("/v1/leases", json);
        quickly(quick, scope);
        Answer ordinary = rest.post("/v1/leases", json, "Accept", "application/*");
        assertAlike(quick, ordinary);
    }

    /** So that the second finds the same addresses. */
    private void quickly(Answer granted, String scope) {
        if (granted.status() == 201) {
            String path = "/v1/leases/" + granted.string("id");
            assertThat(rest.delete(path, SECRET, granted.string("secret")).status()).isEqualTo(204);
            assertThat(granted.string("scope")).isEqualTo(scope);
        }
    }

    @Test
    void releases() {
        String scope = service.addScope(4, 0);
        Answer first = rest.post("/v1/leases", "{\"job\":\"j\",\"scope\":\"" + scope + "\"}");
        Answer second = rest.post("/v1/leases", "{\"job\":\"j\",\"scope\":\"" + scope + "\"}");
        String path = "/v1/leases/" + first.string("id");
        refusedAlike(path, "guess", 404);
        refusedAlike("/v1/leases/" + UUID.randomUUID(), first.string("secret"), 404);
        refusedAlike("/v1/leases/no-number", first.string("secret"), 400);
        assertThat(rest.delete(path + "/", SECRET, first.string("secret")).status()).isEqualTo(404);
        Answer quick = rest.delete(path, SECRET, first.string("secret"));
        assertThat(quick.status()).as(quick.text()).isEqualTo(204);
        assertAlike(
                quick,
                rest.delete(
                        "/v1/leases/" + second.string("id"),
                        SECRET,
                        second.string("secret"),
                        "Accept",
                        "application/*"));
        int ended = rest.delete(path, SECRET, first.string("secret")).status();
        refusedAlike(path, first.string("secret"), ended);
        assertThat(ended).isBetween(400, 499);
    }

    private void refusedAlike(String path, String secret, int status) {
        Answer quick = rest.delete(path, SECRET, secret);
        assertThat(quick.status()).as(quick.text()).isEqualTo(status);
        assertAlike(quick, rest.delete(path, SECRET, secret, "Accept", "application/*"));
    }

    private static void assertAlike(Answer quick, Answer ordinary) {
        assertThat(quick.status()).as(quick.text()).isEqualTo(ordinary.status());
        assertThat(parts(quick)).isEqualTo(parts(ordinary));
        for (String header : List.of("Content-Type", "Retry-After", "Cache-Control", "Vary")) {
            assertThat(quick.response().headers().allValues(header))
                    .as(header)
                    .isEqualTo(ordinary.response().headers().allValues(header));
        }
    }

    /**
     * Numbers, secrets, addresses and times are those of each lease; of them their form is told.
     */
    private static List<String> parts(Answer answer) {
        List<String> parts = new ArrayList<>();
        if (answer.text().isEmpty()) {
            return parts;
        }
        JsonNode json = answer.json();
        json.forEachEntry((name, value) -> {
            String text = value.toString();
            if (answer.status() == 201) {
                text =
                        switch (name) {
                            case "id", "secret" -> "of " + text.length();
                            case "grantedAt", "startsAt", "expiresAt" ->
                                    text.replaceAll("[0-9]+", "0");
                            case "groups" -> text.replaceAll("[.0-9]+", "0");
                            default -> text;
                        };
            }
            parts.add(name + " " + text.replaceAll(ID, "id").replaceAll(TIME, "time"));
        });
        return parts;
    }
}

package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.scope.Ipv4;
import tools.jackson.databind.JsonNode;

/**
 * Every answer that clients got, and nothing else: what it says must hold whatever happened to the
 * service in between. From any thread.
 */
final class Journal {

    /** A lease as its client knows it. */
    private static final class Held {
        private final String id;
        private final String secret;
        private final List<String> addresses = new ArrayList<>();
        private final Instant grantedAt;
        private Instant expiresAt;

        /** When its client began to give it back; whether that worked may be unknown. */
        private @Nullable Instant releasingAt;

        private boolean released;

        Held(JsonNode lease) {
            id = lease.path("id").asString();
            secret = lease.path("secret").asString();
            lease.path("groups").forEach(it -> addresses.add(it.path("address").asString()));
            grantedAt = Instant.parse(lease.path("grantedAt").asString());
            expiresAt = Instant.parse(lease.path("expiresAt").asString());
        }

        Instant end() {
            return releasingAt == null ? expiresAt : releasingAt;
        }
    }

    private final Map<String, Held> leases = new ConcurrentHashMap<>();

    /** A grant was answered; the answer to the same key again must be the same lease. */
    void granted(JsonNode lease) {
        Held held = new Held(lease);
        Held before = leases.putIfAbsent(held.id, held);
        if (before != null) {
            assertThat(held.secret).isEqualTo(before.secret);
            assertThat(held.addresses).isEqualTo(before.addresses);
        }
    }

    void renewed(String id, JsonNode lease) {
        held(id).expiresAt = Instant.parse(lease.path("expiresAt").asString());
    }

    void releasing(String id) {
        held(id).releasingAt = Instant.now();
    }

    void released(String id) {
        held(id).released = true;
    }

    int size() {
        return leases.size();
    }

    /** No acknowledged lease is lost, no acknowledged release undone. */
    void requireKept(Rest rest) {
        for (Held held : leases.values()) {
            Rest.Answer answer = rest.get("/v1/leases/" + held.id);
            assertThat(answer.status()).as("%s: %s", held.id, answer.text()).isEqualTo(200);
            String state = answer.string("state");
            if (held.released) {
                assertThat(state).as(held.id).isEqualTo("RELEASED");
            } else if (held.releasingAt == null) {
                assertThat(state).as(held.id).isEqualTo("ACTIVE");
                List<String> now = new ArrayList<>();
                answer.json().path("groups").forEach(it -> now.add(it.path("address").asString()));
                assertThat(now).isEqualTo(held.addresses);
                assertThat(Instant.parse(answer.string("expiresAt")))
                        .as(held.id)
                        .isAfterOrEqualTo(held.expiresAt);
            }
        }
    }

    /** No two leases had one Ethernet address at a time. */
    void requireNoneTwice() {
        Map<Long, List<Held>> byEthernet = new HashMap<>();
        for (Held held : leases.values()) {
            for (String address : held.addresses) {
                byEthernet
                        .computeIfAbsent(
                                Ipv4.ethernetKey(Ipv4.parse(address)), it -> new ArrayList<>())
                        .add(held);
            }
        }
        for (List<Held> users : byEthernet.values()) {
            users.sort(Comparator.comparing(it -> it.grantedAt));
            for (int i = 1; i < users.size(); i++) {
                Held before = users.get(i - 1);
                Held next = users.get(i);
                assertThat(next.grantedAt)
                        .as("%s, %s and %s", next.addresses, before.id, next.id)
                        .isAfterOrEqualTo(before.end());
            }
        }
    }

    private Held held(String id) {
        Held held = leases.get(id);
        if (held == null) {
            throw new IllegalStateException("nobody was granted " + id);
        }
        return held;
    }
}

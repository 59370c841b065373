package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Leases, renews and releases; what got no answer is asked again until it gets one. */
final class JournaledClient {

    private final Rest rest;
    private final String scope;
    private final Journal journal;
    private final Random random;
    private final List<String[]> held = new ArrayList<>();
    private volatile boolean stopping;
    private final AtomicLong answered = new AtomicLong();

    JournaledClient(Rest rest, String scope, Journal journal, Random random) {
        this.rest = rest;
        this.scope = scope;
        this.journal = journal;
        this.random = random;
    }

    /** Before work that follows upon work that was stopped. */
    void goOn() {
        stopping = false;
    }

    /** Ends the work, once what was asked last is answered. From any thread. */
    void stop() {
        stopping = true;
    }

    /** How many answers it got that were no 503. From any thread. */
    long answered() {
        return answered.get();
    }

    void work() {
        while (!stopping) {
            if (held.isEmpty() || (held.size() < 8 && random.nextBoolean())) {
                grant();
            } else {
                String[] lease = held.remove(random.nextInt(held.size()));
                if (random.nextInt(3) > 0) {
                    release(lease);
                } else {
                    renew(lease);
                    held.add(lease);
                }
            }
        }
    }

    private void grant() {
        String key = UUID.randomUUID().toString();
        Rest.Answer answer =
                untilAnswered(() ->
                        rest.post(
                                "/v1/leases",
                                "{\"job\":\"j\",\"scope\":\"%s\"}".formatted(scope),
                                "Idempotency-Key",
                                key));
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        journal.granted(answer.json());
        held.add(new String[] {answer.string("id"), answer.string("secret")});
    }

    private void renew(String[] lease) {
        Rest.Answer answer =
                untilAnswered(() ->
                        rest.post(
                                "/v1/leases/" + lease[0] + "/renewal",
                                "{\"durationSeconds\":7200}",
                                "Madcast-Lease-Secret",
                                lease[1]));
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        journal.renewed(lease[0], answer.json());
    }

    private void release(String[] lease) {
        journal.releasing(lease[0]);
        Rest.Answer answer =
                untilAnswered(() ->
                        rest.delete("/v1/leases/" + lease[0], "Madcast-Lease-Secret", lease[1]));
        // 410: it was done before, and the answer was lost.
        assertThat(answer.status()).as(answer.text()).isIn(204, 410);
        journal.released(lease[0]);
    }

    private Rest.Answer untilAnswered(Supplier<Rest.Answer> ask) {
        while (true) {
            Rest.@Nullable Answer answer = Rest.orNull(ask);
            if (answer != null && answer.status() != 503) {
                answered.incrementAndGet();
                return answer;
            }
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        }
    }
}

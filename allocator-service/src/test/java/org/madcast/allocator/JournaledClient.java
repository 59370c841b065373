package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Leases, renews and releases; what got no answer is asked again until it gets one. Of several
 * replicas it asks one after the other, as behind a balancer.
 */
final class JournaledClient {

    private static final long PAUSE_NS = Duration.ofMillis(100).toNanos();

    private final List<Rest> replicas;
    private final Runnable pace;
    private final String scope;
    private final Journal journal;
    private final Random random;
    private final List<String[]> held = new ArrayList<>();
    private volatile boolean stopping;
    private final AtomicLong answered = new AtomicLong();
    private final AtomicLong repeated = new AtomicLong();
    private final AtomicLong longestNs = new AtomicLong();
    private int turn;

    JournaledClient(Rest rest, String scope, Journal journal, Random random) {
        this(List.of(rest), scope, journal, random, () -> {});
    }

    /**
     * A client of some replicas.
     *
     * @param pace runs before each request, and returns when it may be made
     */
    JournaledClient(
            List<Rest> replicas, String scope, Journal journal, Random random, Runnable pace) {
        this.replicas = replicas;
        this.pace = pace;
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

    /** How often a request was made again. From any thread. */
    long repeated() {
        return repeated.get();
    }

    /** The longest time that a request took with its repetitions. From any thread. */
    Duration longest() {
        return Duration.ofNanos(longestNs.get());
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
                untilAnswered(rest ->
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
                untilAnswered(rest ->
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
                untilAnswered(rest ->
                        rest.delete("/v1/leases/" + lease[0], "Madcast-Lease-Secret", lease[1]));
        // 410: it was done before, and the answer was lost.
        assertThat(answer.status()).as(answer.text()).isIn(204, 410);
        journal.released(lease[0]);
    }

    private Rest.Answer untilAnswered(Function<Rest, Rest.Answer> ask) {
        pace.run();
        long beganNs = System.nanoTime();
        while (true) {
            Rest replica = replicas.get(turn++ % replicas.size());
            Rest.@Nullable Answer answer = Rest.orNull(() -> ask.apply(replica));
            if (answer != null && answer.status() != 503) {
                answered.incrementAndGet();
                longestNs.accumulateAndGet(System.nanoTime() - beganNs, Math::max);
                return answer;
            }
            if (answer != null) {
                assertThat(answer.response().headers().firstValue("Retry-After"))
                        .as(answer.text())
                        .isPresent();
            }
            repeated.incrementAndGet();
            LockSupport.parkNanos(PAUSE_NS);
        }
    }
}

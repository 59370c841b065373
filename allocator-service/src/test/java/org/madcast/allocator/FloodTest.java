package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** One client asks without pause, with many hands; another one is served all the same. */
class FloodTest {

    private static final int HANDS = 64;
    private static final int BYSTANDERS_LEASES = 20;

    private final RunningService service = RunningService.shared();
    private final Rest rest = service.rest();

    @Test
    void whoFloodsAFullPoolDoesNotStopOthers() throws Exception {
        String full = service.addScope(1, 3600);
        String other = service.addScope(BYSTANDERS_LEASES, 3600);
        assertThat(grant(full).status()).isEqualTo(201);
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger refused = new AtomicInteger();
        List<Future<?>> hands = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(HANDS)) {
            for (int i = 0; i < HANDS; i++) {
                boolean guessing = i % 2 == 0;
                hands.add(
                        threads.submit(() -> {
                            while (!over.get()) {
                                assertThat(guessing ? guess() : grant(full).status())
                                        .isEqualTo(guessing ? 404 : 409);
                                refused.incrementAndGet();
                            }
                        }));
            }
            try {
                for (int i = 0; i < BYSTANDERS_LEASES; i++) {
                    long sentNs = System.nanoTime();
                    Rest.Answer answer = grant(other);
                    assertThat(answer.status()).as(answer.text()).isEqualTo(201);
                    assertThat(Duration.ofNanos(System.nanoTime() - sentNs))
                            .isLessThan(Duration.ofSeconds(10));
                }
            } finally {
                over.set(true);
            }
        }
        for (Future<?> hand : hands) {
            hand.get();
        }
        assertThat(refused.get()).isGreaterThan(HANDS);
    }

    private int guess() {
        return rest.delete("/v1/leases/" + UUID.randomUUID(), "Madcast-Lease-Secret", "guess")
                .status();
    }

    private Rest.Answer grant(String scope) {
        return rest.post("/v1/leases", "{\"job\":\"flood\",\"scope\":\"%s\"}".formatted(scope));
    }
}

package org.madcast.allocator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ComputedOnceTest {

    private static final int MANY = 100;
    private static final Duration LONG = Duration.ofMinutes(10);

    private static final Duration PATIENCE = Duration.ofMillis(100);
    private static final StoreGate GATE =
            new StoreGate(new StoreProperties(null, null, LONG, PATIENCE, Duration.ZERO));

    private final AtomicInteger times = new AtomicInteger();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);

    /** What tells that it is being computed, and then waits until it may end. */
    private ComputedOnce<Integer> held() {
        return new ComputedOnce<>(() -> {
            begun.countDown();
            awaitQuietly(mayEnd);
            return times.incrementAndGet();
        });
    }

    @Test
    void whoAsksWhileItIsComputedSharesTheNextOne() throws Exception {
        CountDownLatch asked = new CountDownLatch(MANY);
        ComputedOnce<Integer> shared = held();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Integer> first = threads.submit(shared::fresh);
            begun.await();
            List<Future<Integer>> others = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                others.add(
                        threads.submit(() -> {
                            asked.countDown();
                            return shared.within(LONG);
                        }));
            }
            asked.await();
            mayEnd.countDown();
            assertThat(first.get()).isEqualTo(1);
            for (Future<Integer> each : others) {
                assertThat(each.get()).isEqualTo(1);
            }
        }
        assertThat(times).hasValue(1);
    }

    /** As one that waits for a silent database, which has no limit outside of a visit. */
    @Test
    void visitsDoNotWaitBeyondTheirPatienceForWhoComputes() throws Exception {
        ComputedOnce<Integer> shared = held();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Integer> first = threads.submit(shared::fresh);
            begun.await();
            assertThatThrownBy(() -> GATE.visiting(shared::fresh))
                    .satisfies(it ->
                            assertThat(StoreFailures.trouble(it)).isEqualTo(StoreTrouble.BUSY));
            assertThat(first).isNotDone();
            mayEnd.countDown();
            assertThat(first.get()).isEqualTo(1);
        }
        assertThat(GATE.visiting(shared::fresh)).isEqualTo(2);
    }

    @Test
    void freshShowsAllThatHappenedBefore() {
        ComputedOnce<Integer> shared = new ComputedOnce<>(times::incrementAndGet);
        assertThat(shared.last()).isNull();
        assertThat(shared.isOlderThan(LONG)).isTrue();
        assertThat(shared.fresh()).isEqualTo(1);
        assertThat(shared.within(LONG)).isEqualTo(1);
        assertThat(shared.fresh()).isEqualTo(2);
        assertThat(shared.last()).isEqualTo(2);
        assertThat(shared.isOlderThan(LONG)).isFalse();
    }

    @Test
    void aFailureIsSharedAndDoesNotStay() {
        ComputedOnce<Integer> shared =
                new ComputedOnce<>(() -> {
                    if (times.incrementAndGet() == 1) {
                        throw new IllegalStateException("once");
                    }
                    return times.get();
                });
        assertThatThrownBy(shared::fresh).hasMessage("once");
        assertThatThrownBy(() -> shared.within(LONG)).hasMessage("once");
        assertThat(shared.last()).isNull();
        assertThat(shared.fresh()).isEqualTo(2);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}

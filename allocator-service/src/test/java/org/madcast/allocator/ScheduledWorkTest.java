package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.scheduling.config.ScheduledTaskHolder;

/** What runs again and again, as the service has it. */
@ExtendWith(OutputCaptureExtension.class)
class ScheduledWorkTest {

    private static final Duration SHORT = Duration.ofMillis(5);

    private final RunningService service = RunningService.shared();
    private final TaskScheduler scheduler = service.part(TaskScheduler.class);

    @Test
    void whatIsSlowStopsNothingElseAndDoesNotOverlapItself() throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger others = new AtomicInteger();
        var slow =
                scheduler.scheduleWithFixedDelay(
                        () -> {
                            begun.incrementAndGet();
                            awaitUninterrupted(end);
                        },
                        SHORT);
        var quick = scheduler.scheduleWithFixedDelay(others::incrementAndGet, SHORT);
        try {
            await().atMost(Duration.ofSeconds(60)).until(() -> begun.get() == 1);
            int before = others.get();
            await().atMost(Duration.ofSeconds(60)).until(() -> others.get() >= before + 20);
            assertThat(begun).hasValue(1);
            end.countDown();
            await().atMost(Duration.ofSeconds(60)).until(() -> begun.get() > 2);
        } finally {
            end.countDown();
            slow.cancel(false);
            quick.cancel(false);
        }
    }

    @Test
    void eachHasAThread() {
        int tasks = service.part(ScheduledTaskHolder.class).getScheduledTasks().size();
        assertThat(tasks).isBetween(5, ScheduledWork.THREADS);
        assertThat(
                        service.part(ThreadPoolTaskScheduler.class)
                                .getScheduledThreadPoolExecutor()
                                .getCorePoolSize())
                .isEqualTo(ScheduledWork.THREADS);
    }

    /** What starts and serves has one of its own, which a scheduler of ours must not displace. */
    @Test
    void isNotTheOnlyExecutor() {
        assertThat(service.part("applicationTaskExecutor", AsyncTaskExecutor.class))
                .isNotSameAs(scheduler);
    }

    @Test
    void aMistakeIsToldEachTimeAndFromWhere(CapturedOutput log) {
        AtomicInteger runs = new AtomicInteger();
        var failing =
                scheduler.scheduleWithFixedDelay(
                        () -> {
                            if (runs.get() < 2) {
                                throw new IllegalStateException(
                                        "a mistake " + runs.getAndIncrement());
                            }
                        },
                        SHORT);
        await().atMost(Duration.ofSeconds(60)).until(() -> log.getAll().contains("a mistake 1"));
        failing.cancel(false);
        assertThat(log.getAll()).contains("a mistake 0", "\tat ");
    }

    private static void awaitUninterrupted(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}

package org.madcast.client.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When reports are sent together, and what each is told. */
@Timeout(60)
final class ReportGatheringTest {

    private final BlockingQueue<List<String>> sent = new LinkedBlockingQueue<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    private RelayOutcome take(List<String> reports) {
        sent.add(List.copyOf(reports));
        return new RelayOutcome.Taken("{" + sent.size() + "}");
    }

    private List<Future<RelayOutcome>> bring(ReportGathering gathering, String... reports) {
        List<Future<RelayOutcome>> outcomes = new ArrayList<>();
        for (String report : reports) {
            outcomes.add(threads.submit(() -> gathering.add(report)));
        }
        return outcomes;
    }

    @Test
    void allTogetherAreSentAtOnce() throws Exception {
        ReportGathering gathering = new ReportGathering(3, this::take);
        long startNs = System.nanoTime();
        for (Future<RelayOutcome> outcome : bring(gathering, "a", "b", "c")) {
            assertThat(outcome.get()).isEqualTo(new RelayOutcome.Taken("{1}"));
        }
        assertThat(System.nanoTime() - startNs).isLessThan(900_000_000L);
        assertThat(sent.take()).containsExactlyInAnyOrder("a", "b", "c");
    }

    @Test
    void whoIsMissingIsWaitedForASecond() throws Exception {
        ReportGathering gathering = new ReportGathering(3, this::take);
        long startNs = System.nanoTime();
        bring(gathering, "a", "b")
                .forEach(it -> assertThat(it).succeedsWithin(Duration.ofSeconds(30)));
        assertThat(System.nanoTime() - startNs).isGreaterThanOrEqualTo(1_000_000_000L);
        assertThat(sent.take()).containsExactlyInAnyOrder("a", "b");
        assertThat(sent).isEmpty();
    }

    @Test
    void oneRequestIsNoLargerThanTheServiceTakes() throws Exception {
        ReportGathering gathering = new ReportGathering(5, this::take);
        String large = "x".repeat(60_000);
        bring(gathering, large, large, large, large, large)
                .forEach(it -> assertThat(it).succeedsWithin(Duration.ofSeconds(30)));
        assertThat(sent).extracting(List::size).containsExactlyInAnyOrder(3, 2);
    }

    @Test
    void whoeverSendsAndFailsLeavesNobodyWaiting() throws Exception {
        ReportGathering gathering =
                new ReportGathering(
                        2,
                        reports -> {
                            throw new IllegalStateException("broken");
                        });
        int told = 0;
        for (Future<RelayOutcome> outcome : bring(gathering, "a", "b")) {
            try {
                assertThat(outcome.get()).isEqualTo(new RelayOutcome.Alone());
                told++;
            } catch (ExecutionException sender) {
                assertThat(sender).hasRootCauseMessage("broken");
            }
        }
        assertThat(told).isEqualTo(1);
    }

    @Test
    void atTheEndNobodyWaitsForMore() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        ReportGathering gathering = new ReportGathering(3, this::take);
        Future<RelayOutcome> first =
                threads.submit(() -> {
                    begun.countDown();
                    return gathering.add("a");
                });
        begun.await();
        while (sent.isEmpty() && !first.isDone()) {
            TimeUnit.MILLISECONDS.sleep(1);
            gathering.end();
        }
        assertThat(first.get()).isIn(new RelayOutcome.Taken("{1}"), new RelayOutcome.Alone());
        assertThat(gathering.add("b")).isEqualTo(new RelayOutcome.Alone());
        assertThat(sent).hasSizeLessThanOrEqualTo(1);
    }
}

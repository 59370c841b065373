package org.madcast.allocator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

@Timeout(120)
class CommitTogetherTest {

    private final CountDownLatch silence = new CountDownLatch(1);
    private final CommitTogether<String, String> together =
            new CommitTogether<>(
                    "test",
                    new RetryingTransaction(new NoDatabase(), gate()),
                    this::answer,
                    CommitTogether.Gathering.atOnce(),
                    Duration.ofMillis(300));

    @AfterEach
    void stop() {
        silence.countDown();
        together.stop();
    }

    @Test
    void anErrorIsNotTheEndOfAllThatComesAfter() {
        together.start();
        assertThatThrownBy(() -> together.submit("error"))
                .hasRootCauseInstanceOf(StackOverflowError.class);
        assertThat(together.submit("a")).isEqualTo("a!");
    }

    @Test
    void nobodyWaitsWithoutEndForADatabaseThatIsSilent() {
        together.start();
        assertThatThrownBy(() -> together.submit("silence"))
                .matches(
                        it -> StoreFailures.trouble(it) != null,
                        "is told as trouble of the database");
        assertThatThrownBy(() -> together.submit("given up while it waits"))
                .matches(
                        it -> StoreFailures.trouble(it) != null,
                        "is told as trouble of the database");
        silence.countDown();
        assertThat(together.submit("a")).isEqualTo("a!");
    }

    @Test
    void aBatchIsFullAtTheWeightOfItsRequests() throws Exception {
        List<List<String>> batches = new CopyOnWriteArrayList<>();
        CommitTogether<String, String> weighed =
                new CommitTogether<>(
                        "weighed",
                        new RetryingTransaction(new NoDatabase(), gate()),
                        requests -> {
                            batches.add(requests);
                            return answer(requests);
                        },
                        new CommitTogether.Gathering<>(
                                String::length, 7, 1_000, Duration.ofMillis(1)));
        weighed.start();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<String> first = threads.submit(() -> weighed.submit("silence"));
            Awaitility.await().until(() -> batches.size() == 1);
            List<Future<String>> more = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                more.add(threads.submit(() -> weighed.submit("abc")));
            }
            Awaitility.await().until(() -> weighed.waiting() == 5);
            silence.countDown();
            assertThat(first.get()).isEqualTo("silence!");
            for (Future<String> each : more) {
                assertThat(each.get()).isEqualTo("abc!");
            }
        } finally {
            weighed.stop();
        }
        assertThat(batches.stream().map(List::size)).containsExactly(1, 3, 2);
    }

    private List<String> answer(List<String> asked) {
        assertThat(asked).doesNotContain("given up while it waits");
        if (asked.contains("error")) {
            throw new StackOverflowError();
        }
        if (asked.contains("silence")) {
            awaitSilencesEnd();
        }
        return asked.stream().map(it -> it + "!").toList();
    }

    private void awaitSilencesEnd() {
        try {
            silence.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private static final class NoDatabase extends AbstractPlatformTransactionManager {

        private static final long serialVersionUID = 1L;

        @Override
        protected Object doGetTransaction() {
            return this;
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {}

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}
    }

    private static StoreGate gate() {
        return new StoreGate(
                new StoreProperties(
                        null, null, Duration.ofMinutes(1), Duration.ofMinutes(1), Duration.ZERO));
    }
}

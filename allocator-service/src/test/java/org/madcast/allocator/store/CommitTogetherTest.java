package org.madcast.allocator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

@Timeout(30)
class CommitTogetherTest {

    private final CountDownLatch silence = new CountDownLatch(1);
    private final CommitTogether<String, String> together =
            new CommitTogether<>(
                    "test",
                    new RetryingTransaction(new NoDatabase()),
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
                .matches(StoreFailures::isAway, "is told as a database that is away");
        assertThatThrownBy(() -> together.submit("given up while it waits"))
                .matches(StoreFailures::isAway, "is told as a database that is away");
        silence.countDown();
        assertThat(together.submit("a")).isEqualTo("a!");
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
}

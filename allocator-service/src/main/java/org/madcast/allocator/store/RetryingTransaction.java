package org.madcast.allocator.store;

import java.util.Objects;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Runs work in a transaction, and again when the database ended it only because of another one (a
 * deadlock). Inside of a transaction that is under way, work joins that one. From any thread.
 */
@Component
public class RetryingTransaction {

    private static final Logger LOG = LoggerFactory.getLogger(RetryingTransaction.class);
    private static final int ATTEMPTS = 5;

    private final TransactionTemplate transactions;

    RetryingTransaction(PlatformTransactionManager platform) {
        this.transactions = new TransactionTemplate(platform);
    }

    /** The work's result, once committed; its exceptions roll back and pass. */
    public <T> T call(Supplier<T> work) {
        if (TransactionSynchronizationManager.isActualTransactionActive()) {
            return work.get();
        }
        for (int attempt = 1; ; attempt++) {
            try {
                return Objects.requireNonNull(transactions.execute(status -> work.get()));
            } catch (ConcurrencyFailureException conflict) {
                if (attempt == ATTEMPTS) {
                    throw conflict;
                }
                LOG.debug("Attempt {} met a conflicting transaction", attempt, conflict);
            }
        }
    }
}

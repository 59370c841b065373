package org.madcast.allocator.store;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
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
    private final StoreGate gate;

    RetryingTransaction(PlatformTransactionManager platform, StoreGate gate) {
        this.transactions = new TransactionTemplate(platform);
        this.gate = gate;
    }

    /** The same for work that others wait for: not beyond their patience ({@link StoreGate}). */
    <T> T callForOthers(Supplier<T> work) {
        return gate.visiting(() -> call(work));
    }

    /** Whether waiting on for a transaction of another thread makes no sense. */
    boolean isStuck() {
        return gate.isStuck();
    }

    /**
     * A transaction that cannot be rolled back either, since its connection is gone, fails for the
     * reason that it was to be rolled back for.
     */
    private <T> T once(Supplier<T> work) {
        AtomicReference<@Nullable RuntimeException> first = new AtomicReference<>();
        try {
            return Objects.requireNonNull(
                    transactions.execute(status -> {
                        try {
                            return work.get();
                        } catch (RuntimeException failure) {
                            first.set(failure);
                            throw failure;
                        }
                    }));
        } catch (RuntimeException told) {
            RuntimeException reason = first.get();
            throw reason == null || StoreFailures.trouble(reason) == null ? told : reason;
        }
    }

    /** The work's result, once committed; its exceptions roll back and pass. */
    public <T> T call(Supplier<T> work) {
        if (TransactionSynchronizationManager.isActualTransactionActive()) {
            return work.get();
        }
        for (int attempt = 1; ; attempt++) {
            try {
                return once(work);
            } catch (ConcurrencyFailureException conflict) {
                if (attempt == ATTEMPTS) {
                    throw conflict;
                }
                LOG.debug("Attempt {} met a conflicting transaction", attempt, conflict);
            }
        }
    }
}

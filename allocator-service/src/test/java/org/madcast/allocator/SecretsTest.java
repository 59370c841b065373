package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.madcast.allocator.lease.Secrets;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

class SecretsTest {

    /** Of two replicas on a database that is new, the first one's first transaction fails. */
    @Test
    void aKeyThatWasRolledBackIsNobodys() {
        String name = RunningService.newDatabase("secrets");
        try (RunningService first = RunningService.onDatabaseNamed(name);
                RunningService second = RunningService.onDatabaseNamed(name)) {
            Secrets secrets = first.part(Secrets.class);
            new TransactionTemplate(first.part(PlatformTransactionManager.class))
                    .executeWithoutResult(begun -> {
                        secrets.derived("of a request that fails");
                        begun.setRollbackOnly();
                    });
            assertThat(secrets.derived("a"))
                    .isEqualTo(second.part(Secrets.class).derived("a"))
                    .isEqualTo(secrets.derived("a"));
        }
    }
}

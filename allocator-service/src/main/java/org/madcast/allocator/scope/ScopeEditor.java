package org.madcast.allocator.scope;

import jakarta.persistence.EntityManager;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.madcast.allocator.store.RetryingTransaction;
import org.madcast.allocator.store.StatementTimeouts;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/**
 * Makes, edits and closes scopes for an operator. From any thread; all replicas follow at once.
 *
 * <p>What changes which slot is which group (addresses, ports, sharing, picker) numbers the pool
 * anew: its slots are forgotten and dealt again, and live leases keep their groups, which the
 * constraints keep from others until they end.
 */
@Service
public class ScopeEditor {

    private final JdbcClient jdbc;
    private final ScopeCatalog catalog;
    private final EntityManager entities;
    private final RetryingTransaction transaction;
    private final StatementTimeouts patience;

    ScopeEditor(
            JdbcClient jdbc,
            ScopeCatalog catalog,
            EntityManager entities,
            RetryingTransaction transaction,
            StatementTimeouts patience) {
        this.patience = patience;
        this.entities = entities;
        this.jdbc = jdbc;
        this.catalog = catalog;
        this.transaction = transaction;
    }

    /**
     * Makes a scope.
     *
     * @return nothing when there is one of this name
     */
    public Optional<Scope> create(Scope scope) {
        return transaction.call(() -> {
            int made =
                    jdbc.sql(
                                    """
                                    insert into scope (name, ranges, port_first, port_last)
                                    values (?, ?::text[], ?, ?) on conflict do nothing
                                    """)
                            .params(
                                    scope.name(),
                                    scope.ranges().toArray(String[]::new),
                                    scope.ports().first(),
                                    scope.ports().last())
                            .update();
            if (made == 0) {
                return Optional.<Scope>empty();
            }
            write(scope);
            return catalog.find(scope.name());
        });
    }

    /**
     * Gives a scope other properties; its name stays.
     *
     * @return the scope as it is then, nothing when there is none of this name
     */
    public Optional<Scope> replace(Scope scope) {
        return transaction.call(() -> {
            jdbc.sql("select name from scope where name = ? for update")
                    .param(scope.name())
                    .query(String.class)
                    .list();
            Optional<Scope> before = catalog.find(scope.name());
            if (before.isEmpty()) {
                return before;
            }
            write(scope);
            if (!sameNumbers(before.get(), scope)) {
                patience.inThisTransaction(); // it writes every slot and every live group
                numberAnew(scope.name());
            }
            entities.clear(); // so that the next look within this transaction looks again
            return catalog.find(scope.name());
        });
    }

    private static boolean sameNumbers(Scope before, Scope after) {
        return before.ranges().equals(after.ranges())
                && before.policy().excluded().equals(after.policy().excluded())
                && before.policy().picker() == after.policy().picker()
                && before.ports().equals(after.ports())
                && before.sharesAddresses() == after.sharesAddresses();
    }

    private void numberAnew(String name) {
        jdbc.sql("update scope set seed = ?, dealt = 0 where name = ?")
                .params(ThreadLocalRandom.current().nextLong(Long.MAX_VALUE), name)
                .update();
        jdbc.sql("delete from slot where scope = ?").param(name).update();
        jdbc.sql("update lease_group set slot_number = null where scope = ? and not settled")
                .param(name)
                .update();
    }

    private void write(Scope scope) {
        ScopePolicy policy = scope.policy();
        jdbc.sql(
                        """
                        update scope set description = :description, ranges = :ranges::text[],
                            excluded = :excluded::text[], port_first = :portFirst,
                            port_last = :portLast, port_step = :portStep, ttl = :ttl,
                            segment = :segment, shares_addresses = :shares,
                            allow_unscoped = :unscoped, picker = :picker,
                            quarantine_seconds = :quarantine, longest_lease_seconds = :longest,
                            groups_per_job = :perJob, groups_per_user = :perUser,
                            closed_at = case when :closed then coalesce(closed_at, now()) end
                        where name = :name
                        """)
                .param("name", scope.name())
                .param("description", scope.description())
                .param("ranges", texts(scope.ranges()))
                .param("excluded", texts(policy.excluded()))
                .param("portFirst", scope.ports().first())
                .param("portLast", scope.ports().last())
                .param("portStep", scope.ports().step())
                .param("ttl", scope.ttl())
                .param("segment", scope.segment())
                .param("shares", scope.sharesAddresses())
                .param("unscoped", policy.allowUnscoped())
                .param("picker", policy.picker().name().toLowerCase(Locale.ROOT))
                .param("quarantine", scope.quarantine().toSeconds())
                .param("longest", scope.longestLease().toSeconds())
                .param("perJob", policy.groupsPerJob())
                .param("perUser", policy.groupsPerUser())
                .param("closed", !policy.isOpen())
                .update();
    }

    private static String[] texts(List<String> list) {
        return list.toArray(String[]::new);
    }
}

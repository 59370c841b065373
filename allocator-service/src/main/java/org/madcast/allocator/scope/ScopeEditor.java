package org.madcast.allocator.scope;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.madcast.allocator.audit.AuditKind;
import org.madcast.allocator.audit.AuditLog;
import org.madcast.allocator.store.RetryingTransaction;
import org.madcast.allocator.store.SqlTime;
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
class ScopeEditor {

    private static final String NEEDED_SCOPE = "default";

    private final JdbcClient jdbc;
    private final ScopeCatalog catalog;
    private final ScopeRepository entities;
    private final SqlTime time;
    private final RetryingTransaction transaction;
    private final AuditLog audit;
    private final StatementTimeouts timeouts;

    ScopeEditor(
            JdbcClient jdbc,
            ScopeCatalog catalog,
            ScopeRepository entities,
            SqlTime time,
            RetryingTransaction transaction,
            AuditLog audit,
            StatementTimeouts timeouts) {
        this.jdbc = jdbc;
        this.catalog = catalog;
        this.entities = entities;
        this.time = time;
        this.transaction = transaction;
        this.audit = audit;
        this.timeouts = timeouts;
    }

    /**
     * Makes a scope.
     *
     * @return nothing when there is one of this name
     */
    public Optional<Scope> create(Scope scope) {
        return transaction.call(() -> {
            // Of several at the same time one inserts the row; what is saved as an entity would
            // overwrite a row that is there.
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
            edit(entities.lock(scope.name()).orElseThrow(), scope);
            audit.record(
                    AuditKind.SCOPE_MADE,
                    scope.name(),
                    Map.of("after", ScopeBodies.Properties.of(scope)));
            return catalog.find(scope.name());
        });
    }

    private void edit(ScopeEntity entity, Scope scope) {
        entity.edit(scope, time.now());
        entities.saveAndFlush(entity);
    }

    /**
     * Gives a scope other properties; its name stays.
     *
     * @return the scope as it is then, nothing when there is none of this name
     */
    public Optional<Scope> replace(Scope scope) {
        return transaction.call(() -> {
            Optional<ScopeEntity> entity = entities.lock(scope.name());
            if (entity.isEmpty()) {
                return Optional.<Scope>empty();
            }
            Scope before = catalog.find(scope.name()).orElseThrow();
            edit(entity.get(), scope);
            audit.record(
                    AuditKind.SCOPE_CHANGED,
                    scope.name(),
                    Map.of(
                            "before",
                            ScopeBodies.Properties.of(before),
                            "after",
                            ScopeBodies.Properties.of(scope)));
            if (!sameNumbers(before, scope)) {
                timeouts.inThisTransaction(); // it writes every slot and every live group
                numberAnew(scope.name());
            }
            return catalog.find(scope.name());
        });
    }

    /** What came of removing a scope. */
    public enum Removal {
        REMOVED,
        NO_SUCH_SCOPE,
        /** Groups of it are leased, kept for leases that start later, or rest in quarantine. */
        IN_USE,
        /** It is the scope of requests that name none. */
        NEEDED
    }

    /** Removes a scope, and its leases that ended; none of its groups may be in use. */
    public Removal remove(String name) {
        if (name.equals(NEEDED_SCOPE)) {
            return Removal.NEEDED;
        }
        return transaction.call(() -> {
            if (entities.lock(name).isEmpty()) {
                return Removal.NO_SUCH_SCOPE;
            }
            timeouts.inThisTransaction(); // it may delete a week of leases
            boolean used =
                    jdbc.sql(
                                    """
                                    select exists (select from lease where scope = :name
                                            and released_at is null and expires_at > now())
                                        or exists (select from lease_group where scope = :name
                                            and upper(blocked) > now())
                                    """)
                            .param("name", name)
                            .query(Boolean.class)
                            .single();
            if (used) {
                return Removal.IN_USE;
            }
            Scope before = catalog.find(name).orElseThrow();
            audit.record(
                    AuditKind.SCOPE_REMOVED,
                    name,
                    Map.of("before", ScopeBodies.Properties.of(before)));
            jdbc.sql("delete from lease where scope = ?").param(name).update();
            // Reservations that have ended; leases of two scopes may still name them.
            jdbc.sql(
                            """
                            update lease_group set reservation = null where reservation in (
                                select id from reservation where scope = ?)
                            """)
                    .param(name)
                    .update();
            jdbc.sql("delete from reservation where scope = ?").param(name).update();
            jdbc.sql("delete from scope where name = ?").param(name).update();
            return Removal.REMOVED;
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
        jdbc.sql("delete from late_slot where scope = ?").param(name).update();
        jdbc.sql("update lease_group set slot_number = null where scope = ? and not settled")
                .param(name)
                .update();
    }
}

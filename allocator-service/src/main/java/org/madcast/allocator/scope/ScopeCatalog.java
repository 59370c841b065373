package org.madcast.allocator.scope;

import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/**
 * The scopes, as the database has them now: nothing is remembered between calls, so that all
 * replicas follow a change at once. May be called from any thread.
 */
@Service
public class ScopeCatalog {

    private final ScopeRepository repository;
    private final JdbcClient jdbc;

    ScopeCatalog(ScopeRepository repository, JdbcClient jdbc) {
        this.repository = repository;
        this.jdbc = jdbc;
    }

    /** The scope with this name. */
    public Optional<Scope> find(String name) {
        return repository.findByName(name).map(ScopeEntity::toScope);
    }

    /** All scopes by name. */
    public List<Scope> all() {
        return repository.findAllByOrderByName().stream().map(ScopeEntity::toScope).toList();
    }

    /**
     * Whether a scope is still numbered as it was when it had this seed: an edit that changes which
     * slot is which gives it another one.
     */
    public boolean hasSeed(String name, long seed) {
        return jdbc.sql("select seed = ? from scope where name = ?")
                .params(seed, name)
                .query(Boolean.class)
                .optional()
                .orElse(false);
    }
}

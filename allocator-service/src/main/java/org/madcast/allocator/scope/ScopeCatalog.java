package org.madcast.allocator.scope;

import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Service;

/**
 * The scopes, as the database has them now: nothing is remembered between calls, so that all
 * replicas follow a change at once. May be called from any thread.
 */
@Service
public class ScopeCatalog {

    private final ScopeRepository repository;

    ScopeCatalog(ScopeRepository repository) {
        this.repository = repository;
    }

    /** The scope with this name. */
    public Optional<Scope> find(String name) {
        return repository.findByName(name).map(ScopeEntity::toScope);
    }

    /** All scopes by name. */
    public List<Scope> all() {
        return repository.findAllByOrderByName().stream().map(ScopeEntity::toScope).toList();
    }
}

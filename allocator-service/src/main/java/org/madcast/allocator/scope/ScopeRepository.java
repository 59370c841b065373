package org.madcast.allocator.scope;

import java.util.Optional;
import org.springframework.data.jpa.repository.NativeQuery;
import org.springframework.data.repository.Repository;

/** The scopes that an operator edits. Every method joins the caller's transaction. */
interface ScopeRepository extends Repository<ScopeEntity, String> {

    /**
     * The scope, in which no lease is granted until the transaction ends. JPA's own lock leaves the
     * key free, and leases lock no more than that.
     */
    @NativeQuery("select * from scope where name = ? for update")
    Optional<ScopeEntity> lock(String name);

    ScopeEntity saveAndFlush(ScopeEntity scope);
}

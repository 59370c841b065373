package org.madcast.allocator.scope;

import java.util.List;
import java.util.Optional;
import org.springframework.data.repository.Repository;

/** Reads scopes. */
interface ScopeRepository extends Repository<ScopeEntity, String> {

    Optional<ScopeEntity> findByName(String name);

    List<ScopeEntity> findAllByOrderByName();
}

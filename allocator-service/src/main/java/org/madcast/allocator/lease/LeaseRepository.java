package org.madcast.allocator.lease;

import java.util.Optional;
import java.util.UUID;
import org.springframework.data.jpa.repository.JpaSpecificationExecutor;
import org.springframework.data.repository.Repository;

/** Reads leases. */
interface LeaseRepository
        extends Repository<LeaseEntity, UUID>, JpaSpecificationExecutor<LeaseEntity> {

    Optional<LeaseEntity> findById(UUID id);
}

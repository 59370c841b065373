package org.madcast.allocator.store;

import java.util.Arrays;
import java.util.Optional;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.core.api.MigrationVersion;
import org.springframework.boot.flyway.autoconfigure.FlywayMigrationStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Brings the database to this program's version when the service starts, and refuses a database
 * that a newer program has changed: what that one relies on, this one does not keep.
 */
@Configuration(proxyBeanMethods = false)
class SchemaVersion {

    @Bean
    static FlywayMigrationStrategy migrationUnlessNewer() {
        return SchemaVersion::migrate;
    }

    private static void migrate(Flyway flyway) {
        MigrationInfo[] all = flyway.info().all();
        Optional<MigrationVersion> newer =
                Arrays.stream(all)
                        .filter(it -> it.getState() == MigrationState.FUTURE_SUCCESS)
                        .map(MigrationInfo::getVersion)
                        .max(MigrationVersion::compareTo);
        if (newer.isPresent()) {
            String known =
                    Arrays.stream(all)
                            .filter(it -> it.getState() != MigrationState.FUTURE_SUCCESS)
                            .map(MigrationInfo::getVersion)
                            .max(MigrationVersion::compareTo)
                            .map(MigrationVersion::toString)
                            .orElse("none");
            throw new StoreException(
                    ("the database was changed by a newer version of this service (schema %s, this"
                                    + " one knows %s); start that version, or restore a backup from"
                                    + " before the upgrade")
                            .formatted(newer.get(), known));
        }
        flyway.migrate();
    }
}

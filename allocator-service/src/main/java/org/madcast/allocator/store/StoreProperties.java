package org.madcast.allocator.store;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where the embedded database lives, and how long any database is waited for.
 *
 * @param dataDir directory of everything that survives a restart; by default {@code
 *     $XDG_DATA_HOME/madcast} or {@code ~/.local/share/madcast}
 * @param programsDir where PostgreSQL's programs are unpacked; by default below the data directory
 * @param startTimeout how long the database may take to start, recovery after a crash included
 * @param databasePatience how long a request waits for the database before it gets 503
 * @param warmUp for how long after its start the service gives a database that answers five times
 *     that patience: its code is slow until it has run for a while
 */
@ConfigurationProperties("madcast")
public record StoreProperties(
        @Nullable Path dataDir,
        @Nullable Path programsDir,
        @DefaultValue("60s") Duration startTimeout,
        @DefaultValue("1400ms") Duration databasePatience,
        @DefaultValue("30s") Duration warmUp) {

    /** The data directory that is in force, absolute. */
    public Path resolvedDataDir() {
        Path chosen = dataDir;
        if (chosen == null || chosen.toString().isEmpty()) {
            chosen = defaultDataDir(System.getenv("XDG_DATA_HOME"));
        }
        return chosen.toAbsolutePath().normalize();
    }

    /** The programs' directory that is in force, absolute. */
    public Path resolvedProgramsDir() {
        Path chosen = programsDir;
        return (chosen == null ? resolvedDataDir().resolve("programs") : chosen).toAbsolutePath();
    }

    private static Path defaultDataDir(@Nullable String xdgDataHome) {
        if (xdgDataHome == null || xdgDataHome.isEmpty()) {
            return Path.of(System.getProperty("user.home"), ".local", "share", "madcast");
        }
        return Path.of(xdgDataHome, "madcast");
    }
}

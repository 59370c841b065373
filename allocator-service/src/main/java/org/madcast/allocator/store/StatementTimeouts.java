package org.madcast.allocator.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import javax.sql.DataSource;
import org.springframework.boot.flyway.autoconfigure.FlywayConfigurationCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * For what may take longer than the database may be silent otherwise ({@code socketTimeout}). A
 * connection that goes back to the pool is as impatient as before.
 */
@Configuration(proxyBeanMethods = false)
public class StatementTimeouts {

    private static final Duration LONG = Duration.ofMinutes(10);

    private final JdbcTemplate jdbc;

    StatementTimeouts(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /** From here on, each statement of the present transaction may take minutes. */
    public void inThisTransaction() {
        StoreGate.takeYourTime();
        jdbc.execute(
                (ConnectionCallback<Boolean>)
                        connection -> {
                            connection.setNetworkTimeout(Runnable::run, (int) LONG.toMillis());
                            return true;
                        });
    }

    /** Migrations of a large database take as long as they take. */
    @Bean
    static FlywayConfigurationCustomizer patientMigrations() {
        return flyway ->
                flyway.dataSource(
                        new PatientDataSource(Objects.requireNonNull(flyway.getDataSource())));
    }

    private static final class PatientDataSource extends DelegatingDataSource {

        PatientDataSource(DataSource impatient) {
            super(impatient);
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = super.getConnection();
            connection.setNetworkTimeout(Runnable::run, 0);
            return connection;
        }
    }
}

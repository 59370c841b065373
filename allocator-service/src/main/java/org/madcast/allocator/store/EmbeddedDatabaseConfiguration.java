package org.madcast.allocator.store;

import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.StringUtils;

/** Brings the embedded database along when {@code spring.datasource.url} is not set. */
@Configuration(proxyBeanMethods = false)
@Conditional(EmbeddedDatabaseConfiguration.NoDatabaseConfigured.class)
class EmbeddedDatabaseConfiguration {

    @Bean
    EmbeddedDatabase embeddedDatabase(StoreProperties properties) {
        return EmbeddedDatabase.open(
                properties.resolvedDataDir(),
                properties.resolvedProgramsDir(),
                properties.startTimeout());
    }

    @Bean
    JdbcConnectionDetails embeddedDatabaseConnection(EmbeddedDatabase database) {
        return new EmbeddedConnection(database.jdbcUrl(), database.password());
    }

    private record EmbeddedConnection(String jdbcUrl, String password)
            implements JdbcConnectionDetails {

        @Override
        public String getUsername() {
            return EmbeddedDatabase.USER;
        }

        @Override
        public String getPassword() {
            return password;
        }

        @Override
        public String getJdbcUrl() {
            return jdbcUrl;
        }
    }

    /** No database is configured. */
    static final class NoDatabaseConfigured implements Condition {

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return !StringUtils.hasText(
                    context.getEnvironment().getProperty("spring.datasource.url"));
        }
    }
}

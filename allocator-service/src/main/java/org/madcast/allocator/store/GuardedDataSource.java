package org.madcast.allocator.store;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * The pool, for everybody but the watch: refuses at once while the database is known to be away,
 * and tells the gate which connection a visit waits on.
 *
 * <p>{@code socketTimeout} is how long the database may be silent on a connection in use. While a
 * connection is made it is short: of several hosts one may be frozen.
 */
final class GuardedDataSource extends DelegatingDataSource {

    private static final String SOCKET_TIMEOUT = "socketTimeout";
    private static final int CONNECTING_S = 2;

    private final StoreGate gate;
    private final @Nullable Duration silence;

    private GuardedDataSource(HikariDataSource pool, StoreGate gate, @Nullable Duration silence) {
        super(pool);
        this.gate = gate;
        this.silence = silence;
    }

    /** Guards a pool that has made no connection yet. */
    static GuardedDataSource of(HikariDataSource pool, StoreGate gate) {
        Object silence = pool.getDataSourceProperties().get(SOCKET_TIMEOUT);
        String url = String.valueOf(pool.getJdbcUrl());
        if (silence == null || url.contains(SOCKET_TIMEOUT + "=")) {
            return new GuardedDataSource(pool, gate, null);
        }
        int seconds = Integer.parseInt(silence.toString());
        if (seconds == 0 || seconds > CONNECTING_S) {
            pool.addDataSourceProperty(SOCKET_TIMEOUT, String.valueOf(CONNECTING_S));
        }
        return new GuardedDataSource(pool, gate, Duration.ofSeconds(seconds));
    }

    @Override
    public Connection getConnection() throws SQLException {
        gate.enter();
        Connection connection = super.getConnection();
        if (silence != null) {
            connection.setNetworkTimeout(Runnable::run, (int) silence.toMillis());
        }
        gate.got(connection);
        return connection;
    }

    /** Puts the guard before the pool. */
    @Configuration(proxyBeanMethods = false)
    static class Guard {

        @Bean
        static BeanPostProcessor guardedPool(ObjectProvider<StoreGate> gate) {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String name) {
                    return bean instanceof HikariDataSource pool
                            ? GuardedDataSource.of(pool, gate.getObject())
                            : bean;
                }
            };
        }
    }
}

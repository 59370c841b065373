package org.madcast.allocator.store;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
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
 * <p>{@code connectionTimeout} is how long a caller waits while all connections are in use. A pool
 * that has fewer than it may have is making one for each caller that waits, one after the other: on
 * a busy machine, and in a program that has just begun, that takes seconds and is no overload. So
 * the time counts from when the pool has all of them.
 *
 * <p>{@code socketTimeout} is how long the database may be silent on a connection in use. While a
 * connection is made it is short: of several hosts one may be frozen.
 */
final class GuardedDataSource extends DelegatingDataSource {

    private static final String SOCKET_TIMEOUT = "socketTimeout";
    private static final int CONNECTING_S = 2;

    /** How soon a caller that waits for a connection looks at what it waits for. */
    private static final Duration LOOK_AGAIN = Duration.ofMillis(250);

    /** How long the pool may take to make all of its connections. */
    private static final Duration LONGEST_GROWTH = Duration.ofSeconds(20);

    private final HikariDataSource pool;
    private final StoreGate gate;
    private final @Nullable Duration silence;
    private final long mostWaitNs;

    private GuardedDataSource(HikariDataSource pool, StoreGate gate, @Nullable Duration silence) {
        super(pool);
        this.pool = pool;
        this.gate = gate;
        this.silence = silence;
        this.mostWaitNs = Duration.ofMillis(pool.getConnectionTimeout()).toNanos();
        pool.setConnectionTimeout(Math.min(pool.getConnectionTimeout(), LOOK_AGAIN.toMillis()));
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
        Connection connection = fromPool();
        if (silence != null) {
            connection.setNetworkTimeout(Runnable::run, (int) silence.toMillis());
        }
        gate.got(connection);
        return connection;
    }

    private Connection fromPool() throws SQLException {
        long beganNs = System.nanoTime();
        long endNs = beganNs + mostWaitNs;
        while (true) {
            try {
                return super.getConnection();
            } catch (SQLTransientConnectionException none) {
                gate.enter();
                long nowNs = System.nanoTime();
                if (isGrowing(none) && nowNs - beganNs < LONGEST_GROWTH.toNanos()) {
                    endNs = nowNs + mostWaitNs;
                    StoreGate.restart();
                } else if (nowNs - endNs >= 0) {
                    throw none;
                }
            }
        }
    }

    /** Whether the pool makes connections, and none has failed meanwhile. */
    private boolean isGrowing(SQLTransientConnectionException none) {
        return none.getCause() == null
                && pool.getHikariPoolMXBean().getTotalConnections() < pool.getMaximumPoolSize();
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

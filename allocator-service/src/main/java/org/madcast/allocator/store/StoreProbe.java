package org.madcast.allocator.store;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * A connection of its own to the pool's database, on which no question takes longer than a given
 * time. One thread's.
 */
final class StoreProbe implements AutoCloseable {

    private static final String STANDING = "select current_setting('transaction_read_only') = 'on'";

    /** Needs new room on the disk; the table goes with its transaction. */
    private static final String ROOM =
            "create temporary table madcast_room on commit drop as"
                    + " select repeat(md5(i::text), 30) from generate_series(1, 100) i";

    private static final String AT_WORK =
            """
            select pid from pg_stat_activity where pid = any(?) and state = 'active'
                and clock_timestamp() - query_start > interval '200 ms'
            """;

    private final HikariDataSource pool;
    private final Duration longest;
    private @Nullable Connection connection;

    StoreProbe(HikariDataSource pool, Duration longest) {
        this.pool = pool;
        this.longest = longest;
    }

    /**
     * What stops writing, null when nothing does.
     *
     * @param needsRoom whether to look for room on the disk too
     * @throws SQLException when there is no answer, nor one on a new connection
     */
    @Nullable StoreTrouble ask(boolean needsRoom) throws SQLException {
        if (connection != null) {
            try {
                return askOnce(needsRoom);
            } catch (SQLException broken) {
                close();
                if (StoreFailures.trouble(broken) == StoreTrouble.FULL) {
                    return StoreTrouble.FULL;
                }
            }
        }
        try {
            return askOnce(needsRoom);
        } catch (SQLException failure) {
            close();
            if (StoreFailures.trouble(failure) == StoreTrouble.FULL) {
                return StoreTrouble.FULL;
            }
            throw failure;
        }
    }

    private @Nullable StoreTrouble askOnce(boolean needsRoom) throws SQLException {
        boolean readOnly;
        try (Statement statement = open().createStatement();
                ResultSet rows = statement.executeQuery(STANDING)) {
            rows.next();
            readOnly = rows.getBoolean(1);
        }
        if (readOnly) {
            close(); // of several hosts another one may take changes now
            return StoreTrouble.READ_ONLY;
        }
        if (needsRoom) {
            takeRoom();
        }
        return null;
    }

    private void takeRoom() throws SQLException {
        Connection open = open();
        open.setAutoCommit(false);
        try (Statement statement = open.createStatement()) {
            statement.execute(ROOM);
        } finally {
            open.rollback();
            open.setAutoCommit(true);
        }
    }

    /** Which of these of the server's processes have been at work on one statement for a while. */
    List<Integer> atWork(List<Integer> pids) throws SQLException {
        List<Integer> busy = new ArrayList<>();
        Connection open = open();
        try (PreparedStatement statement = open.prepareStatement(AT_WORK)) {
            statement.setArray(1, open.createArrayOf("int4", pids.toArray()));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    busy.add(rows.getInt(1));
                }
            }
        }
        return busy;
    }

    private Connection open() throws SQLException {
        Connection open = connection;
        if (open == null) {
            open = DriverManager.getConnection(pool.getJdbcUrl(), properties());
            open.setNetworkTimeout(Runnable::run, (int) longest.toMillis());
            connection = open;
        }
        return open;
    }

    private Properties properties() {
        Properties properties = new Properties();
        properties.putAll(pool.getDataSourceProperties());
        if (pool.getUsername() != null) {
            properties.setProperty("user", pool.getUsername());
        }
        if (pool.getPassword() != null) {
            properties.setProperty("password", pool.getPassword());
        }
        String seconds = String.valueOf(Math.max(1, longest.toSeconds()));
        properties.setProperty("connectTimeout", seconds);
        properties.setProperty("socketTimeout", seconds);
        properties.setProperty("loginTimeout", seconds);
        properties.setProperty("ApplicationName", "madcast-watch");
        return properties;
    }

    @Override
    public void close() {
        Connection open = connection;
        connection = null;
        if (open == null) {
            return;
        }
        try {
            // A polite good-bye could wait for a server that is silent.
            open.abort(Runnable::run);
        } catch (SQLException gone) {
            connection = null;
        }
    }
}

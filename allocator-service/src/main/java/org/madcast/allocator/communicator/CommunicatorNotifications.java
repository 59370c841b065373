package org.madcast.allocator.communicator;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.store.StoreGate;
import org.madcast.allocator.store.StoreWatch;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Wakes requests that wait for a communicator, when this or another replica says that something
 * happened to it. One thread listens on one database connection; waiting takes neither.
 *
 * <p>A wake-up may be lost (a connection that broke, a request that came a moment late): whoever
 * waits looks again by himself from time to time.
 */
@Component
class CommunicatorNotifications implements SmartLifecycle {

    /** The name of the database's notification channel. */
    static final String CHANNEL = "madcast_communicator";

    private static final Logger LOG = LoggerFactory.getLogger(CommunicatorNotifications.class);
    private static final int LISTEN_MS = 500;

    /** A connection that only listens does not notice that its peer is gone. */
    private static final int ROUNDS_PER_QUESTION = 20;

    private static final Duration RECONNECT_PAUSE = Duration.ofSeconds(1);

    private final DataSource dataSource;
    private final StoreWatch database;
    private final Map<UUID, CompletableFuture<Void>> waiting = new ConcurrentHashMap<>();
    private volatile boolean running;
    private volatile @Nullable Thread listener;

    /** What the listener waits on, null while it has none. */
    private volatile @Nullable Connection listening;

    CommunicatorNotifications(DataSource dataSource, StoreWatch database) {
        this.dataSource = dataSource;
        this.database = database;
    }

    /** What completes when something happens to the communicator; take it before you look. */
    CompletableFuture<Void> next(UUID communicator) {
        return waiting.computeIfAbsent(communicator, it -> new CompletableFuture<>());
    }

    /** Waits until then, or for a time. */
    void await(CompletableFuture<Void> next, Duration most) {
        try {
            next.get(most.toMillis(), TimeUnit.MILLISECONDS);
            StoreGate.restart();
        } catch (TimeoutException timeIsUp) {
            StoreGate.restart();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public void start() {
        running = true;
        listener = Thread.ofPlatform().name("communicator-arrivals").daemon().start(this::listen);
    }

    @Override
    public void stop() {
        running = false;
        waiting.keySet().forEach(this::wake);
        Thread thread = listener;
        if (thread == null) {
            return;
        }
        thread.interrupt();
        hangUp();
        try {
            thread.join(Duration.ofSeconds(2));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Who listens hears of no interruption, and would go on for as long as nothing comes. */
    private void hangUp() {
        Connection open = listening;
        if (open == null) {
            return;
        }
        try {
            open.abort(Runnable::run);
        } catch (SQLException ended) {
            LOG.trace("It has ended", ended);
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    private void listen() {
        while (running) {
            try (Connection connection = dataSource.getConnection()) {
                listening = connection;
                listenOn(connection);
            } catch (SQLException failure) {
                if (running) {
                    tell(failure);
                    pause();
                }
            } finally {
                listening = null;
            }
        }
    }

    private void tell(SQLException failure) {
        if (database.judge(failure) == null) {
            LOG.warn("Cannot listen for arrivals, trying again: {}", failure.getMessage());
        }
    }

    private void listenOn(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("listen " + CHANNEL);
        }
        PGConnection postgres = connection.unwrap(PGConnection.class);
        for (int round = 1; running; round++) {
            if (round % ROUNDS_PER_QUESTION == 0) {
                ask(connection);
            }
            PGNotification[] notifications = postgres.getNotifications(LISTEN_MS);
            if (notifications == null) {
                continue;
            }
            for (PGNotification notification : notifications) {
                wake(UUID.fromString(notification.getParameter()));
            }
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute("unlisten *");
        }
    }

    private static void ask(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("select 1");
        }
    }

    private void wake(UUID communicator) {
        CompletableFuture<Void> next = waiting.remove(communicator);
        if (next != null) {
            next.complete(null);
        }
    }

    private static void pause() {
        try {
            Thread.sleep(RECONNECT_PAUSE);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}

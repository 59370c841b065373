package org.madcast.allocator.store;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.store.StoreGate.Waiting;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Watches the database from outside of the pool, so that a pool that is in use is not taken for a
 * database that is away. One thread asks every half second whether the database answers and takes
 * changes. Another ends the waiting of visits ({@link StoreGate}) that have waited for too long:
 *
 * <ul>
 *   <li>while the database is silent, their connections are closed;
 *   <li>when the server is at work on their statement, the statement is ended, and the connection
 *       too if that does not help;
 *   <li>when the server knows of no statement although they wait for its answer, the connection is
 *       broken and is closed.
 * </ul>
 *
 * <p>Who is only slow himself, on a busy machine, is left alone.
 */
@Component
public class StoreWatch implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(StoreWatch.class);
    private static final Duration INTERVAL = Duration.ofMillis(500);
    private static final Duration LOOK = Duration.ofMillis(50);

    /** How often a waiting thread is seen before a connection is taken for broken. */
    private static final int BROKEN_AFTER = 4;

    private final StoreGate gate;
    private final AwayNotice notice;
    private final HikariDataSource pool;
    private final StoreProbe probe;
    private volatile boolean running;
    private volatile boolean full;

    StoreWatch(StoreGate gate, AwayNotice notice, DataSource dataSource) throws SQLException {
        this.gate = gate;
        this.notice = notice;
        this.pool = dataSource.unwrap(HikariDataSource.class);
        this.probe = new StoreProbe(pool, gate.silence());
    }

    /**
     * What is wrong with the database when something failed like this, null when the failure does
     * not come of the database. Logs it, once a minute.
     */
    public @Nullable StoreTrouble judge(Throwable failure) {
        StoreTrouble told = StoreFailures.trouble(failure);
        if (told == null) {
            return null;
        }
        StoreTrouble judged = told;
        if (told == StoreTrouble.BUSY && gate.isSilent()) {
            judged = StoreTrouble.AWAY;
        } else if (told == StoreTrouble.AWAY && wasCut() && !gate.isSilent()) {
            judged = StoreTrouble.BUSY;
        } else if (told == StoreTrouble.FULL) {
            full = true;
            gate.trouble(StoreTrouble.FULL);
        }
        notice.tell(judged, failure);
        return judged;
    }

    /** Whether the present visit has waited for so long that its connection was closed. */
    private boolean wasCut() {
        Waiting own = StoreGate.current();
        return own != null && own.isOverdue() && gate.trouble() == null;
    }

    @Override
    public void start() {
        running = true;
        Thread.ofPlatform().name("store-watch").daemon().start(this::watch);
        Thread.ofPlatform().name("store-patience").daemon().start(this::enforce);
    }

    @Override
    public void stop() {
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Begins first and ends last, so that no thread waits without it. */
    @Override
    public int getPhase() {
        return Integer.MIN_VALUE;
    }

    private void watch() {
        while (running) {
            note(look());
            pause(INTERVAL);
        }
        probe.close();
    }

    private @Nullable StoreTrouble look() {
        try {
            StoreTrouble found = probe.ask(full);
            gate.answered();
            full = found == StoreTrouble.FULL;
            return found;
        } catch (SQLException failure) {
            StoreTrouble told = StoreFailures.trouble(failure);
            if (told == StoreTrouble.BUSY) {
                gate.answered();
                return null;
            }
            StoreTrouble trouble = told == null ? StoreTrouble.AWAY : told;
            notice.tell(trouble, failure);
            return trouble;
        }
    }

    private void note(@Nullable StoreTrouble found) {
        StoreTrouble before = gate.trouble();
        gate.trouble(found);
        if (found == before) {
            return;
        }
        // What is in the pool leads to a server that has ended, or is a standby now.
        pool.getHikariPoolMXBean().softEvictConnections();
        if (found == null && before != null) {
            LOG.info("The database can be written to again");
        }
    }

    private void enforce() {
        while (running) {
            List<Waiting> overdue = gate.overdue();
            if (overdue.isEmpty()) {
                pause(LOOK);
            } else if (gate.isSilent() || gate.trouble() == StoreTrouble.AWAY) {
                overdue.forEach(this::close);
                pause(LOOK);
            } else {
                endStatements(gate.overdueAtWork());
                pause(LOOK.multipliedBy(2));
            }
        }
    }

    private void endStatements(List<Waiting> overdue) {
        if (overdue.isEmpty()) {
            return;
        }
        Set<Integer> busy = new HashSet<>();
        try (StoreProbe server = new StoreProbe(pool, gate.silence())) {
            busy.addAll(server.atWork(overdue.stream().flatMap(it -> pid(it).stream()).toList()));
        } catch (SQLException failure) {
            LOG.debug("Cannot ask what the database is doing", failure);
            return;
        }
        for (Waiting each : overdue) {
            if (!waitsForAnswer(each.thread())) {
                each.notFound();
                continue;
            }
            boolean atWork = pid(each).filter(busy::contains).isPresent();
            int found = each.foundAgain();
            if (atWork && found == 1) {
                cancel(each);
            } else if (atWork || found >= BROKEN_AFTER) {
                close(each);
            }
        }
    }

    private static Optional<Integer> pid(Waiting waiting) {
        Connection connection = waiting.connection();
        try {
            return connection == null || connection.isClosed()
                    ? Optional.empty()
                    : Optional.of(connection.unwrap(PGConnection.class).getBackendPID());
        } catch (SQLException ended) {
            return Optional.empty();
        }
    }

    /** Whether a thread reads from a socket at this moment, rather than having something to do. */
    private static boolean waitsForAnswer(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(it -> it.getClassName().equals("sun.nio.ch.NioSocketImpl"));
    }

    private void cancel(Waiting waiting) {
        Connection connection = waiting.connection();
        if (connection == null) {
            return;
        }
        gate.cut();
        try {
            PGConnection postgres = connection.unwrap(PGConnection.class);
            Thread.ofVirtual().start(() -> cancel(postgres));
        } catch (SQLException ended) {
            LOG.trace("It has ended", ended);
        }
    }

    private static void cancel(PGConnection postgres) {
        try {
            postgres.cancelQuery();
        } catch (SQLException unreachable) {
            LOG.debug("Cannot end a statement", unreachable);
        }
    }

    private void close(Waiting waiting) {
        Connection connection = waiting.connection();
        if (connection == null) {
            return;
        }
        gate.cut();
        try {
            connection.abort(Runnable::run);
        } catch (SQLException ended) {
            LOG.trace("It has ended", ended);
        }
    }

    private static void pause(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}

package org.madcast.allocator.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Who waits for the database at present, and how it fares. {@link StoreWatch} writes what it finds
 * here, and ends the waiting of those who have waited for too long. From any thread.
 *
 * <p>What another program waits for, such as a request, is done within a {@link Visit}, which has
 * the patience of the settings. Everything else, such as scheduled work, waits for as long as a
 * connection may be silent.
 */
@Component
public class StoreGate {

    private static final ThreadLocal<@Nullable Waiting> CURRENT = new ThreadLocal<>();

    /** How much more patience there is while the service warms up. */
    private static final int COLD = 5;

    private final Duration patience;
    private final Duration warmUp;
    private final Set<Waiting> waiting = ConcurrentHashMap.newKeySet();
    private volatile @Nullable StoreTrouble trouble;
    private volatile long answeredNs = System.nanoTime();
    private volatile long readyNs = System.nanoTime();
    private volatile long cutNs = System.nanoTime() - Duration.ofHours(1).toNanos();

    StoreGate(StoreProperties properties) {
        this.patience = properties.databasePatience();
        this.warmUp = properties.warmUp();
    }

    /** From now on requests come; only now does the time begin in which the service warms up. */
    @EventListener(ApplicationReadyEvent.class)
    void ready() {
        readyNs = System.nanoTime();
    }

    /**
     * Whether requests are slow since the service's own code is, which has hardly run yet. They
     * hold locks and connections for longer then, which is not the database's fault.
     */
    private boolean isCold() {
        return System.nanoTime() - readyNs < warmUp.toNanos();
    }

    /** While it is open, its thread does not wait for the database beyond the patience. */
    public interface Visit extends AutoCloseable {
        @Override
        void close();
    }

    /** Begins a visit of the present thread; within another one it is that one. */
    public Visit visit() {
        if (CURRENT.get() != null) {
            return () -> {};
        }
        Waiting own = new Waiting();
        CURRENT.set(own);
        waiting.add(own);
        return () -> {
            CURRENT.remove();
            waiting.remove(own);
        };
    }

    /** Runs work within a visit. */
    public <T> T visiting(Supplier<T> work) {
        try (Visit _ = visit()) {
            return work.get();
        }
    }

    /** The present visit begins anew: its thread waited for something else. */
    public static void restart() {
        Waiting own = CURRENT.get();
        if (own != null) {
            own.restart();
        }
    }

    /** What the present visit does with the database may take as long as it takes. */
    static void takeYourTime() {
        Waiting own = CURRENT.get();
        if (own != null) {
            own.unlimited();
        }
    }

    /** The present visit, null outside of one. */
    static @Nullable Waiting current() {
        return CURRENT.get();
    }

    /** What stops reading or writing at present, null when nothing does. */
    public @Nullable StoreTrouble trouble() {
        return trouble;
    }

    void trouble(@Nullable StoreTrouble now) {
        trouble = now;
    }

    /** The database answered just now. */
    void answered() {
        answeredNs = System.nanoTime();
    }

    /** Whether the database has not answered for most of the patience. */
    boolean isSilent() {
        long longestNs = silence().toNanos() * (isCold() ? 2 : 1);
        return System.nanoTime() - answeredNs > longestNs;
    }

    /**
     * How long the present visit may wait for what another thread is doing with the database;
     * outside of a visit, as long as that takes.
     */
    static Duration left() {
        Waiting own = CURRENT.get();
        return own == null ? Duration.ofNanos(Long.MAX_VALUE) : own.leftForOthers();
    }

    /** How long one question to the database may take. */
    Duration silence() {
        return patience.multipliedBy(7).dividedBy(10);
    }

    /** A wait was ended. */
    void cut() {
        cutNs = System.nanoTime();
    }

    /**
     * Whether a caller should not wait: the database is silent, or others have waited for too long.
     */
    boolean isStuck() {
        return trouble == StoreTrouble.AWAY
                || isSilent()
                || System.nanoTime() - cutNs < patience.toNanos();
    }

    /** Those that have waited beyond their patience. */
    List<Waiting> overdue() {
        return overdueBy(Duration.ZERO);
    }

    /** Those of them that a database which answers may be to blame for. */
    List<Waiting> overdueAtWork() {
        return overdueBy(isCold() ? patience.multipliedBy(COLD - 1) : Duration.ZERO);
    }

    private List<Waiting> overdueBy(Duration more) {
        return waiting.stream().filter(it -> it.isOverdueBy(more)).toList();
    }

    /**
     * Whether a connection may be asked for.
     *
     * @throws SQLException when the database is known to be away
     */
    void enter() throws SQLException {
        if (trouble == StoreTrouble.AWAY) {
            throw new SQLTransientConnectionException("it is being looked for", "08001");
        }
    }

    /** The present visit got this connection. */
    void got(Connection connection) {
        Waiting own = CURRENT.get();
        if (own != null) {
            own.got(connection);
        }
    }

    /** A visit and the connection that it got last. */
    final class Waiting {

        private final Thread thread = Thread.currentThread();
        private final long patienceNs = patience.toNanos();
        private volatile long deadlineNs = System.nanoTime() + patienceNs;
        private volatile boolean unlimited;
        private volatile @Nullable Connection connection;

        /** How often it was found to wait for the database beyond its time; the watch's. */
        private int found;

        private Waiting() {}

        void restart() {
            connection = null;
            deadlineNs = System.nanoTime() + patienceNs;
        }

        void unlimited() {
            unlimited = true;
        }

        /** Who comes late, since its own machine is slow, may ask all the same. */
        void got(Connection next) {
            found = 0;
            deadlineNs = Math.max(deadlineNs, System.nanoTime() + patienceNs / 4);
            connection = next;
        }

        boolean isOverdue() {
            return isOverdueBy(Duration.ZERO);
        }

        boolean isOverdueBy(Duration more) {
            return !unlimited && System.nanoTime() - deadlineNs > more.toNanos();
        }

        /** How long it may wait on; at least 1 ms. */
        Duration left() {
            long leftNs = unlimited ? Long.MAX_VALUE / 2 : deadlineNs - System.nanoTime();
            return Duration.ofNanos(Math.max(1_000_000, leftNs));
        }

        private Duration leftForOthers() {
            return isCold() ? left().plus(patience.multipliedBy(COLD - 1)) : left();
        }

        @Nullable Connection connection() {
            return connection;
        }

        Thread thread() {
            return thread;
        }

        int foundAgain() {
            return ++found;
        }

        void notFound() {
            found = 0;
        }
    }
}

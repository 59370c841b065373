package org.madcast.client.report;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.madcast.client.BroadcastSite;
import org.madcast.client.CommunicatorStatistics;

/**
 * Sends a rank's statistics to the service every few seconds and one last time at the end, from a
 * daemon thread. The job never waits for it: recording touches counters in memory, a service that
 * is away costs at most a minute's reports (then the oldest are dropped and counted), and {@link
 * #close} takes half a second at most.
 *
 * <p><b>Threads.</b> {@link #site} from any thread, and so what it returns. {@link #close} from any
 * thread, before the sink's connection is closed.
 */
public final class StatisticsReporter implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(StatisticsReporter.class.getName());
    private static final Duration INTERVAL = Duration.ofSeconds(5);
    private static final Duration CLOSE_LIMIT = Duration.ofMillis(500);
    private static final int MOST_WAITING = 12;
    private static final int MOST_SITES = BroadcastSite.MOST;

    /** The service takes no larger body than 256 KiB, and a histogram may have many buckets. */
    private static final int MOST_IN_A_REPORT = 32;

    private final ReportSink sink;
    private final Supplier<CommunicatorStatistics> statistics;
    private final Supplier<List<String>> foreignSenders;
    private final String socketPath;
    private final long intervalNs;
    private final ConcurrentMap<String, SiteReporter> sites = new ConcurrentHashMap<>();
    private final ReportQueue queue = new ReportQueue(MOST_WAITING);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition closingNow = lock.newCondition();
    private final Thread thread;
    private volatile Map<String, Integer> rootDelayMicros = Map.of();
    private boolean closing;

    private StatisticsReporter(
            ReportSink sink,
            Supplier<CommunicatorStatistics> statistics,
            Supplier<List<String>> foreignSenders,
            String socketPath,
            Duration interval) {
        this.foreignSenders = foreignSenders;
        this.sink = sink;
        this.statistics = statistics;
        this.socketPath = socketPath;
        this.intervalNs = interval.toNanos();
        sites.put("", new SiteReporter("", () -> rootDelayMicros));
        this.thread = Thread.ofPlatform().daemon().name("madcast-report").unstarted(this::run);
    }

    /**
     * Starts to report.
     *
     * @param sink where reports go
     * @param statistics the counters now; called by the reporter's thread, also during {@link
     *     #close}
     * @param foreignSenders who sent datagrams that were not for this communicator, the latest few
     * @param socketPath which sockets serve, such as {@code nio}
     */
    public static StatisticsReporter start(
            ReportSink sink,
            Supplier<CommunicatorStatistics> statistics,
            Supplier<List<String>> foreignSenders,
            String socketPath) {
        return start(sink, statistics, foreignSenders, socketPath, INTERVAL);
    }

    static StatisticsReporter start(
            ReportSink sink,
            Supplier<CommunicatorStatistics> statistics,
            Supplier<List<String>> foreignSenders,
            String socketPath,
            Duration interval) {
        StatisticsReporter reporter =
                new StatisticsReporter(sink, statistics, foreignSenders, socketPath, interval);
        reporter.thread.start();
        return reporter;
    }

    /**
     * A place in the program, counted and advised apart from others. The same name gives the same
     * place; so do all names beyond the first {@value #MOST_SITES}, which count as the nameless.
     *
     * @param name the program's word for it, empty for all that has none
     */
    public SiteReporter site(String name) {
        SiteReporter known = sites.get(name);
        if (known != null) {
            return known;
        }
        lock.lock();
        try {
            if (sites.size() > MOST_SITES) {
                LOG.log(Level.WARNING, "{0} is one name too many; it is counted as none", name);
                return site("");
            }
            return sites.computeIfAbsent(name, it -> new SiteReporter(it, () -> rootDelayMicros));
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        try {
            boolean last = false;
            while (!last) {
                last = awaitNext();
                gather();
                sendWaiting();
            }
        } catch (InterruptedException outOfTime) {
            LOG.log(Level.DEBUG, "{0} reports could not be sent any more", queue.size());
            Thread.currentThread().interrupt();
        }
    }

    /** One report, and more when there is more than one may hold. */
    private void gather() {
        List<Map<String, Object>> broadcasts = new ArrayList<>();
        sites.values().forEach(it -> broadcasts.addAll(it.timings().drain()));
        int from = 0;
        do {
            int to = Math.min(broadcasts.size(), from + MOST_IN_A_REPORT);
            queue.add(
                    ReportWriter.write(
                            statistics.get(),
                            foreignSenders.get(),
                            List.copyOf(broadcasts.subList(from, to)),
                            socketPath));
            from = to;
        } while (from < broadcasts.size());
    }

    /** Waits for the next report's time; true when it is the last one. */
    private boolean awaitNext() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long remainingNs = intervalNs;
            while (!closing && remainingNs > 0) {
                remainingNs = closingNow.awaitNanos(remainingNs);
            }
            return closing;
        } finally {
            lock.unlock();
        }
    }

    /** Sends the oldest first and stops at the first failure; the rest waits for the next time. */
    private void sendWaiting() throws InterruptedException {
        try {
            Map<String, Object> report = queue.oldest();
            while (report != null) {
                Optional<Map<String, Integer>> advice = sink.send(report);
                queue.removeOldest();
                if (advice.isPresent()) {
                    rootDelayMicros = Map.copyOf(advice.get());
                } else {
                    LOG.log(Level.DEBUG, "the service refused a report of statistics");
                }
                report = queue.oldest();
            }
        } catch (IOException away) {
            LOG.log(
                    Level.DEBUG,
                    "statistics could not be sent ({0}); {1} reports wait",
                    away.getMessage(),
                    queue.size());
        }
    }

    /** Sends the last report, if that takes no longer than half a second. Never throws. */
    @Override
    public void close() {
        lock.lock();
        try {
            closing = true;
            closingNow.signalAll();
        } finally {
            lock.unlock();
        }
        sink.hurry();
        try {
            if (!thread.join(CLOSE_LIMIT)) {
                thread.interrupt();
            }
        } catch (InterruptedException interrupted) {
            thread.interrupt();
            Thread.currentThread().interrupt();
        }
    }
}

package org.madcast.allocator.statistics;

import jakarta.annotation.PreDestroy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.madcast.allocator.lease.Secrets;
import org.madcast.allocator.statistics.ReportStore.Kept;
import org.madcast.allocator.statistics.ReportStore.Latest;
import org.madcast.allocator.store.CommitTogether;
import org.madcast.allocator.store.RetryingTransaction;
import org.madcast.allocator.store.StoreBusyException;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/**
 * Writes reports, many in one transaction. A caller waits until its reports are on disk, so what is
 * answered is not lost, and what is not is sent again. The more reports there are, the longer a
 * batch gathers, so that the database sees a few large statements and not thousands of small ones.
 * From any thread.
 */
@Component
class ReportIntake {

    /** Below five reports in a millisecond batches are written at once. */
    private static final CommitTogether.Gathering<List<Report>> GATHERING =
            new CommitTogether.Gathering<>(List::size, 4_000, 5, Duration.ofMillis(50));

    private final ReportStore store;
    private final IntervalStore intervals;
    private final RootDelays delays;
    private final ApplicationEventPublisher events;
    private final CommitTogether<List<Report>, Integer> batches;

    ReportIntake(
            ReportStore store,
            IntervalStore intervals,
            RootDelays delays,
            RetryingTransaction transaction,
            ApplicationEventPublisher events) {
        this.store = store;
        this.intervals = intervals;
        this.delays = delays;
        this.events = events;
        batches = new CommitTogether<>("madcast-reports", transaction, this::decide, GATHERING);
        batches.start();
    }

    @PreDestroy
    void close() {
        batches.stop();
    }

    /**
     * Writes reports and waits until they are committed; those that came before change nothing.
     *
     * @throws DataAccessException if they were not all written: all may be sent again
     */
    void write(List<Report> reports) {
        if (!batches.hasRoom()) {
            events.publishEvent(new ReportEvent.Refused());
            throw new StoreBusyException("too many reports are waiting");
        }
        int fresh = batches.submit(reports);
        publish(fresh, false);
        publish(reports.size() - fresh, true);
    }

    private void publish(int many, boolean repeated) {
        if (many > 0) {
            events.publishEvent(new ReportEvent.Taken(many, repeated));
        }
    }

    /** Writes the reports of requests in a transaction; of each request, how many were new. */
    private List<Integer> decide(List<List<Report>> requests) {
        TreeSet<ReportStore.Key> keys = new TreeSet<>();
        requests.forEach(reports -> reports.forEach(it -> keys.add(ReportStore.Key.of(it))));
        Map<ReportStore.Key, Latest> latest = new HashMap<>(store.lock(keys));
        Map<ReportStore.Key, Kept> kept = new TreeMap<>();
        Map<UUID, IntervalSums> sums = new TreeMap<>();
        List<Integer> fresh = new ArrayList<>(requests.size());
        for (List<Report> reports : requests) {
            int count = 0;
            for (Report report : reports) {
                count += add(report, latest, kept, sums) ? 1 : 0;
            }
            fresh.add(count);
        }
        if (!kept.isEmpty()) {
            store.keep(List.copyOf(kept.values()));
            intervals.addRaw(sums);
        }
        delays.readAhead(keys.stream().map(ReportStore.Key::communicator).toList());
        return fresh;
    }

    /** False if the report is not newer than the latest of its rank, or there is no such rank. */
    private static boolean add(
            Report report,
            Map<ReportStore.Key, Latest> latest,
            Map<ReportStore.Key, Kept> kept,
            Map<UUID, IntervalSums> sums) {
        ReportStore.Key key = ReportStore.Key.of(report);
        Latest before = latest.get(key);
        String instanceHash = Secrets.hash(report.instance().toString());
        boolean sameProcess = before != null && before.instanceHash().equals(instanceHash);
        if (before == null || (sameProcess && before.sequence() >= report.sequence())) {
            return false;
        }
        List<Long> totals = RankCount.all(report);
        sums.computeIfAbsent(report.communicatorId(), it -> new IntervalSums())
                .add(report, sameProcess ? before.totals() : RankCount.none());
        kept.put(key, new Kept(report, instanceHash, totals));
        latest.put(key, new Latest(instanceHash, report.sequence(), totals));
        return true;
    }
}

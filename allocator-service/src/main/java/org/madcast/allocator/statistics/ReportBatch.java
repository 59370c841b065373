package org.madcast.allocator.statistics;

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
import org.springframework.stereotype.Component;

/** Writes many reports in a few statements. Joins the caller's transaction. */
@Component
class ReportBatch {

    private final ReportStore store;
    private final IntervalStore intervals;
    private final RootDelays delays;

    ReportBatch(ReportStore store, IntervalStore intervals, RootDelays delays) {
        this.store = store;
        this.intervals = intervals;
        this.delays = delays;
    }

    /** For each report whether it was new; those that were there before change nothing. */
    List<Boolean> write(List<Report> reports) {
        TreeSet<ReportStore.Key> keys = new TreeSet<>();
        reports.forEach(it -> keys.add(ReportStore.Key.of(it)));
        Map<ReportStore.Key, Latest> latest = new HashMap<>(store.lock(keys));
        Map<ReportStore.Key, Kept> kept = new TreeMap<>();
        Map<UUID, IntervalSums> sums = new TreeMap<>();
        List<Boolean> fresh = new ArrayList<>(reports.size());
        for (Report report : reports) {
            ReportStore.Key key = ReportStore.Key.of(report);
            Latest before = latest.get(key);
            String instanceHash = Secrets.hash(report.instance().toString());
            boolean counts = before != null && isNew(report, instanceHash, before);
            fresh.add(counts);
            if (before != null && counts) {
                List<Long> totals = RankCount.all(report);
                sums.computeIfAbsent(report.communicatorId(), it -> new IntervalSums())
                        .add(report, base(instanceHash, before));
                kept.put(key, new Kept(report, instanceHash, totals));
                latest.put(key, new Latest(instanceHash, report.sequence(), totals));
            }
        }
        if (!kept.isEmpty()) {
            store.keep(List.copyOf(kept.values()));
            intervals.addRaw(sums);
        }
        delays.readAhead(keys.stream().map(ReportStore.Key::communicator).toList());
        return fresh;
    }

    private static boolean isNew(Report report, String instanceHash, Latest before) {
        return !before.instanceHash().equals(instanceHash) || before.sequence() < report.sequence();
    }

    private static List<Long> base(String instanceHash, Latest before) {
        return before.instanceHash().equals(instanceHash) ? before.totals() : RankCount.none();
    }
}

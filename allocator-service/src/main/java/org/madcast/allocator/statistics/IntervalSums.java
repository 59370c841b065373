package org.madcast.allocator.statistics;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a communicator's ranks did in an interval. Sums of intervals are the sums of what is in
 * them, in any order and grouping. Not for several threads.
 */
public final class IntervalSums {

    private final SortedMap<Integer, RankSums> ranks = new TreeMap<>();
    private final SortedMap<SiteKey, SiteSums> sites = new TreeMap<>();

    RankSums rank(int rank) {
        return ranks.computeIfAbsent(rank, it -> new RankSums());
    }

    SiteSums site(SiteKey key) {
        return sites.computeIfAbsent(key, it -> new SiteSums());
    }

    /**
     * Adds what a report tells beyond the one before it.
     *
     * @param before the counts of the same process's last report; zeros when it is the first
     */
    void add(Report report, List<Long> before) {
        RankSums sums = rank(report.rank());
        List<Long> now = RankCount.all(report);
        RankCount[] counts = RankCount.values();
        for (int i = 0; i < counts.length; i++) {
            // a count that went back is a count that began anew
            long grown = now.get(i) - before.get(i);
            sums.add(counts[i], grown < 0 ? now.get(i) : grown);
        }
        for (BroadcastSite site : report.broadcasts()) {
            String label = site.label();
            SiteKey key =
                    new SiteKey(site.sizeClass(), label == null ? "" : label, site.algorithm());
            site(key).add(site);
            sums.addDurations(site.count(), site.durationNs().sum());
        }
    }

    void add(IntervalSums other) {
        other.ranks.forEach((rank, sums) -> rank(rank).add(sums));
        other.sites.forEach((key, sums) -> site(key).add(sums));
    }

    /** By rank; a rank that did not report is not in it. */
    public SortedMap<Integer, RankSums> ranks() {
        return Collections.unmodifiableSortedMap(ranks);
    }

    /** By site and algorithm. */
    public SortedMap<SiteKey, SiteSums> sites() {
        return Collections.unmodifiableSortedMap(sites);
    }
}

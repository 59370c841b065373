package org.madcast.allocator.statistics;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a communicator's ranks did in an interval. Sums of intervals are the sums of what is in
 * them, in any order and grouping, as long as there are not too many sites: what more a program
 * names is counted without its label, and whatever has too many sizes and algorithms as {@link
 * SiteKey#OTHER}. What was there first keeps its name. Not for several threads.
 */
public final class IntervalSums {

    /** Sites with a label: as many as a report may bring. */
    private static final int MOST_LABELLED = 256;

    /** Sites without: sizes and algorithms. */
    private static final int MOST_NAMELESS = 128;

    private final SortedMap<Integer, RankSums> ranks = new TreeMap<>();
    private final SortedMap<SiteKey, SiteSums> sites = new TreeMap<>();
    private int labelled;

    RankSums rank(int rank) {
        return ranks.computeIfAbsent(rank, it -> new RankSums());
    }

    SiteSums site(SiteKey key) {
        SiteSums known = sites.get(key);
        if (known != null) {
            return known;
        }
        if (key.label().isEmpty()) {
            SiteKey place = hasRoomFor(key) ? key : SiteKey.OTHER;
            return sites.computeIfAbsent(place, it -> new SiteSums());
        }
        if (!hasRoomFor(key)) {
            return site(key.nameless());
        }
        labelled++;
        return sites.computeIfAbsent(key, it -> new SiteSums());
    }

    private boolean hasRoomFor(SiteKey key) {
        return key.label().isEmpty()
                ? sites.size() - labelled < MOST_NAMELESS
                : labelled < MOST_LABELLED;
    }

    /** What is counted here under that site, or was counted together with others, is under this. */
    public SiteKey placeOf(SiteKey key) {
        if (sites.containsKey(key) || hasRoomFor(key)) {
            return key;
        }
        SiteKey nameless = key.nameless();
        return sites.containsKey(nameless) || hasRoomFor(nameless) ? nameless : SiteKey.OTHER;
    }

    /** A copy with no more sites than the larger sums have room for. */
    IntervalSums toldApartBy(IntervalSums larger) {
        IntervalSums copy = new IntervalSums();
        ranks.forEach((rank, sums) -> copy.rank(rank).add(sums));
        sites.forEach((key, sums) -> copy.site(larger.placeOf(key)).add(sums));
        return copy;
    }

    /**
     * Adds what a report counts beyond the one before it.
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

    /** What all ranks together counted. */
    public long of(RankCount count) {
        return ranks.values().stream().mapToLong(it -> it.get(count)).reduce(0, Sum::of);
    }

    /** By site and algorithm. */
    public SortedMap<SiteKey, SiteSums> sites() {
        return Collections.unmodifiableSortedMap(sites);
    }
}

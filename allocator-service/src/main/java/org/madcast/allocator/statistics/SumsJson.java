package org.madcast.allocator.statistics;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/**
 * The stored form of {@link IntervalSums}: a column for each count of the ranks that reported, and
 * a row for each site. Columns of zeros are left out; a count that is new reads as zeros in old
 * rows.
 */
@Component
class SumsJson {

    private static final String DURATIONS = "durations";
    private static final String DURATION_NS = "duration_ns";

    private final ObjectMapper json = JsonMapper.builder().build();

    /** What is stored. */
    record Stored(List<Integer> ranks, Map<String, List<Long>> counts, List<Site> sites) {}

    /** A site's row; histograms as bucket, count, bucket, count. */
    record Site(
            String size,
            @Nullable String label,
            String algorithm,
            List<Long> totals,
            List<Long> buckets,
            @Nullable List<Long> early,
            @Nullable List<Long> late) {}

    String write(IntervalSums sums) {
        List<Integer> ranks = List.copyOf(sums.ranks().keySet());
        Map<String, List<Long>> counts = new TreeMap<>();
        for (RankCount count : RankCount.values()) {
            put(counts, name(count), sums, it -> it.get(count));
        }
        put(counts, DURATIONS, sums, RankSums::durations);
        put(counts, DURATION_NS, sums, RankSums::durationNs);
        List<Site> sites = new ArrayList<>();
        sums.sites().forEach((key, site) -> sites.add(site(key, site)));
        return json.writeValueAsString(new Stored(ranks, counts, sites));
    }

    IntervalSums read(String text) {
        Stored stored = json.readValue(text, Stored.class);
        IntervalSums sums = new IntervalSums();
        List<RankSums> ranks = stored.ranks().stream().map(sums::rank).toList();
        for (RankCount count : RankCount.values()) {
            List<Long> column = stored.counts().get(name(count));
            for (int i = 0; column != null && i < ranks.size(); i++) {
                ranks.get(i).add(count, at(column, i));
            }
        }
        for (int i = 0; i < ranks.size(); i++) {
            long many = at(stored.counts().get(DURATIONS), i);
            ranks.get(i).addDurations(many, at(stored.counts().get(DURATION_NS), i));
        }
        stored.sites().forEach(it -> read(it, sums));
        return sums;
    }

    private static void put(
            Map<String, List<Long>> counts,
            String name,
            IntervalSums sums,
            ToLongFunction<RankSums> value) {
        List<Long> column = sums.ranks().values().stream().mapToLong(value).boxed().toList();
        if (column.stream().anyMatch(it -> it != 0)) {
            counts.put(name, column);
        }
    }

    private static Site site(SiteKey key, SiteSums sums) {
        List<Long> totals =
                List.of(
                        sums.count(),
                        sums.bytes(),
                        sums.sumNs(),
                        sums.maxNs(),
                        sums.lostLate(),
                        sums.lostLateNs(),
                        sums.rootDelayMicros(),
                        sums.lostEarly(),
                        sums.lostEarlyNs());
        return new Site(
                key.sizeClass(),
                key.label(),
                key.algorithm(),
                totals,
                pairs(sums.buckets()),
                pairs(sums.early()),
                pairs(sums.late()));
    }

    private static void read(Site stored, IntervalSums into) {
        String label = stored.label() == null ? "" : stored.label();
        SiteSums sums = into.site(new SiteKey(stored.size(), label, stored.algorithm()));
        List<Long> totals = stored.totals();
        sums.addTotals(at(totals, 0), at(totals, 1), at(totals, 2), at(totals, 3));
        sums.addLostLate(at(totals, 4), at(totals, 5));
        sums.addRootDelay(at(totals, 6));
        sums.addLostEarly(at(totals, 7), at(totals, 8));
        addPairs(sums.buckets(), stored.buckets());
        addPairs(sums.early(), stored.early());
        addPairs(sums.late(), stored.late());
    }

    private static List<Long> pairs(SortedMap<Integer, Long> counts) {
        List<Long> pairs = new ArrayList<>(counts.size() * 2);
        counts.forEach((bucket, many) -> {
            pairs.add((long) bucket);
            pairs.add(many);
        });
        return pairs;
    }

    private static void addPairs(SortedMap<Integer, Long> into, @Nullable List<Long> pairs) {
        for (int i = 0; pairs != null && i + 1 < pairs.size(); i += 2) {
            into.merge(pairs.get(i).intValue(), Math.max(0, pairs.get(i + 1)), Sum::of);
        }
    }

    /** A negative one is a sum that was too large for a version before. */
    private static long at(@Nullable List<Long> column, int index) {
        return column == null || index >= column.size() ? 0 : Math.max(0, column.get(index));
    }

    private static String name(RankCount count) {
        return count.name().toLowerCase(Locale.ROOT);
    }
}

package org.madcast.allocator.statistics;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.madcast.allocator.web.page.Show;

/** The lines of the tables about sites. */
final class SiteRows {

    private SiteRows() {}

    /** Broadcasts of a site by one algorithm. */
    public record Row(
            String site,
            String algorithm,
            String why,
            String count,
            String bytes,
            String mean,
            String p50,
            String p99,
            String max) {}

    /** What a site's root is advised. */
    public record AdviceRow(String site, String inForce, String delay, String reason) {}

    static List<Row> of(IntervalSums total) {
        return total.sites().entrySet().stream()
                .sorted(Comparator.comparing(it -> it.getKey().site(), SiteNames.BY_SIZE))
                .map(it -> row(it.getKey(), it.getValue()))
                .toList();
    }

    /**
     * What the sites' roots are advised, and what they do.
     *
     * @param inForce the delays of the last minute, in microseconds
     */
    static List<AdviceRow> advice(List<RootDelays.Advice> advice, Map<String, Long> inForce) {
        return advice.stream()
                .sorted(Comparator.comparing(RootDelays.Advice::site, SiteNames.BY_SIZE))
                .map(it -> {
                    Long now = inForce.get(it.site());
                    return new AdviceRow(
                            SiteNames.of(it.site()),
                            now == null ? "silent" : delay(now),
                            delay(it.micros()),
                            it.reason());
                })
                .toList();
    }

    private static String delay(long micros) {
        return micros == 0 ? "none" : Show.nanos(TimeUnit.MICROSECONDS.toNanos(micros));
    }

    private static Row row(SiteKey key, SiteSums sums) {
        long count = sums.count();
        return new Row(
                SiteNames.of(key.site()),
                key.algorithm(),
                why(key.algorithm()),
                Show.count(count),
                Show.bytes(sums.bytes()),
                Show.nanos(count == 0 ? 0 : sums.sumNs() / count),
                Show.nanos(Math.min(sums.maxNs(), Buckets.percentileNs(sums.buckets(), 0.5))),
                Show.nanos(Math.min(sums.maxNs(), Buckets.percentileNs(sums.buckets(), 0.99))),
                Show.nanos(sums.maxNs()));
    }

    private static String why(String algorithm) {
        return switch (algorithm) {
            case "once" -> "multicast works: sent once for all";
            case "chain" -> "no multicast, or asked for: each rank passes it to the next";
            default -> "asked for by the program or its parameters";
        };
    }
}

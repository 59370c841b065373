package org.madcast.allocator.metrics;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.statistics.RankCount;

/**
 * Every metric of the service, as in {@code docs/METRICS.md}; a test compares the two. No label has
 * values that users choose, but for scopes, which operators make.
 */
enum Metric {
    GROUPS(
            "madcast.groups",
            Kind.GAUGE,
            "groups",
            "Groups by state: leased, quarantined, reserved, free",
            "scope",
            "state"),
    GRANTS("madcast.lease.grants", Kind.COUNTER, "leases", "Leases granted", "scope"),
    REFUSALS(
            "madcast.lease.refusals",
            Kind.COUNTER,
            "requests",
            "Leases refused",
            "scope",
            "reason"),
    RENEWALS("madcast.lease.renewals", Kind.COUNTER, "leases", "Leases renewed", "scope"),
    RELEASES("madcast.lease.releases", Kind.COUNTER, "leases", "Leases released", "scope"),
    REPORTS(
            "madcast.reports",
            Kind.COUNTER,
            "reports",
            "Accepted reports of ranks; a repeated one changes nothing",
            "repeated"),
    REPORTS_REFUSED(
            "madcast.reports.refused",
            Kind.COUNTER,
            "reports",
            "Reports refused since too many were waiting; ranks send them again"),
    REPORTS_DROPPED(
            "madcast.reports.dropped",
            RankCount.REPORTS_DROPPED,
            "reports",
            "Reports that ranks dropped since the service was away"),
    BROADCASTS(
            "madcast.rank.broadcasts",
            RankCount.BROADCASTS,
            "broadcasts",
            "Broadcasts, counted by each rank that completed them"),
    MESSAGE_BYTES(
            "madcast.rank.message.bytes",
            RankCount.MESSAGE_BYTES,
            "bytes",
            "Bytes of those broadcasts"),
    DATAGRAMS_SENT(
            "madcast.rank.datagrams.sent", RankCount.DATAGRAMS_SENT, "datagrams", "Datagrams sent"),
    DATAGRAMS_RECEIVED(
            "madcast.rank.datagrams.received",
            RankCount.DATAGRAMS_RECEIVED,
            "datagrams",
            "Datagrams received"),
    FRAGMENTS_USEFUL(
            "madcast.rank.fragments.useful",
            RankCount.FRAGMENTS_USEFUL,
            "fragments",
            "Fragments that were new"),
    FRAGMENTS_LOST(
            "madcast.rank.fragments.lost",
            RankCount.FRAGMENTS_LOST,
            "fragments",
            "Fragments that a rank requested again"),
    REPAIRS_SENT(
            "madcast.rank.repairs.sent",
            RankCount.REPAIRS_SENT,
            "fragments",
            "Fragments sent again"),
    FOREIGN(
            "madcast.rank.foreign",
            RankCount.FOREIGN,
            "datagrams",
            "Datagrams of other programs on leased groups"),
    REJECTED(
            "madcast.rank.rejected",
            RankCount.REJECTED,
            "datagrams",
            "Datagrams that were refused"),
    DURATION(
            "madcast.rank.broadcast.seconds",
            Kind.COUNTER,
            "seconds",
            "Total duration of broadcasts",
            "algorithm"),
    TIMED(
            "madcast.rank.broadcast.timed",
            Kind.COUNTER,
            "broadcasts",
            "Number of broadcasts in that total",
            "algorithm"),
    BROADCAST_TIME(
            "madcast.rank.broadcast.duration",
            Kind.HISTOGRAM,
            "seconds",
            "How long broadcasts took, from a rank's call to its return",
            "algorithm"),
    PHASE(
            "madcast.rank.broadcast.phase.seconds",
            Kind.COUNTER,
            "seconds",
            "The same time by phase: waiting for the data, repair of lost fragments, transfer",
            "phase"),
    SKEW(
            "madcast.rank.skew",
            Kind.HISTOGRAM,
            "seconds",
            "How long before the data, or after it, receivers called",
            "side"),
    ALERTS("madcast.alerts", Kind.GAUGE, "alerts", "Alerts that the dashboard shows", "kind"),
    MADCAP(
            "madcast.madcap.datagrams",
            Kind.COUNTER,
            "datagrams",
            "Datagrams to the MADCAP server, by outcome",
            "fate");

    /** How its value behaves. */
    enum Kind {
        COUNTER,
        GAUGE,
        HISTOGRAM
    }

    private final String id;
    private final Kind kind;
    private final @Nullable RankCount rankCount;
    private final String unit;
    private final String description;
    private final String labels;

    /** A metric. */
    Metric(String id, Kind kind, String unit, String description, String... labels) {
        this(id, kind, null, unit, description, labels);
    }

    /** The counter of what all ranks counted. */
    Metric(String id, RankCount count, String unit, String description) {
        this(id, Kind.COUNTER, count, unit, description);
    }

    private Metric(
            String id,
            Kind kind,
            @Nullable RankCount rankCount,
            String unit,
            String description,
            String... labels) {
        this.id = id;
        this.kind = kind;
        this.rankCount = rankCount;
        this.unit = unit;
        this.description = description;
        this.labels = String.join(" ", labels);
    }

    String id() {
        return id;
    }

    Kind kind() {
        return kind;
    }

    /** What it counts of ranks; null of other metrics. */
    @Nullable RankCount rankCount() {
        return rankCount;
    }

    String unit() {
        return unit;
    }

    String description() {
        return description;
    }

    List<String> labels() {
        return labels.isEmpty() ? List.of() : List.of(labels.split(" ", -1));
    }

    /** Its name in Prometheus; of a histogram without _bucket, _count and _sum. */
    String prometheusName() {
        return id.replace('.', '_').toLowerCase(Locale.ROOT)
                + switch (kind) {
                    case COUNTER -> "_total";
                    case GAUGE -> "";
                    case HISTOGRAM -> "_seconds";
                };
    }
}

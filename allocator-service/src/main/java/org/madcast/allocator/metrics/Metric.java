package org.madcast.allocator.metrics;

import java.util.List;
import java.util.Locale;

/**
 * Every metric of the service. {@code docs/METRICS.md} says the same, and a test holds the two
 * together. No label has a value that users make up, but for scopes, which operators make.
 */
enum Metric {
    GROUPS(
            "madcast.groups",
            Kind.GAUGE,
            "groups",
            "Groups by what became of them: leased, quarantined, reserved, free",
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
    RELEASES("madcast.lease.releases", Kind.COUNTER, "leases", "Leases given back", "scope"),
    REPORTS(
            "madcast.reports",
            Kind.COUNTER,
            "reports",
            "Reports of ranks taken in; a repeated one was known and changed nothing",
            "repeated"),
    REPORTS_REFUSED(
            "madcast.reports.refused",
            Kind.COUNTER,
            "reports",
            "Reports turned away since too many were waiting; ranks send them again"),
    REPORTS_DROPPED(
            "madcast.reports.dropped",
            Kind.COUNTER,
            "reports",
            "Reports that ranks gave up since the service was away"),
    BROADCASTS(
            "madcast.rank.broadcasts",
            Kind.COUNTER,
            "broadcasts",
            "Broadcasts, counted by each rank that completed them"),
    MESSAGE_BYTES("madcast.rank.message.bytes", Kind.COUNTER, "bytes", "Bytes of those broadcasts"),
    DATAGRAMS_SENT("madcast.rank.datagrams.sent", Kind.COUNTER, "datagrams", "Datagrams sent"),
    DATAGRAMS_RECEIVED(
            "madcast.rank.datagrams.received", Kind.COUNTER, "datagrams", "Datagrams received"),
    FRAGMENTS_USEFUL(
            "madcast.rank.fragments.useful", Kind.COUNTER, "fragments", "Fragments that were new"),
    FRAGMENTS_LOST(
            "madcast.rank.fragments.lost",
            Kind.COUNTER,
            "fragments",
            "Fragments that a rank had to ask for"),
    REPAIRS_SENT("madcast.rank.repairs.sent", Kind.COUNTER, "fragments", "Fragments sent again"),
    FOREIGN(
            "madcast.rank.foreign",
            Kind.COUNTER,
            "datagrams",
            "Datagrams of other programs that came on leased groups"),
    REJECTED(
            "madcast.rank.rejected", Kind.COUNTER, "datagrams", "Datagrams that were not believed"),
    DURATION(
            "madcast.rank.broadcast.seconds",
            Kind.COUNTER,
            "seconds",
            "How long broadcasts took, all together, by algorithm",
            "algorithm"),
    TIMED(
            "madcast.rank.broadcast.timed",
            Kind.COUNTER,
            "broadcasts",
            "How many broadcasts those seconds are of",
            "algorithm"),
    ALERTS("madcast.alerts", Kind.GAUGE, "alerts", "Alerts that the dashboard shows", "kind"),
    MADCAP(
            "madcast.madcap.datagrams",
            Kind.COUNTER,
            "datagrams",
            "Datagrams to the MADCAP server, by what became of them",
            "fate");

    /** What its value does. */
    enum Kind {
        COUNTER,
        GAUGE
    }

    private final String id;
    private final Kind kind;
    private final String unit;
    private final String description;
    private final String labels;

    Metric(String id, Kind kind, String unit, String description, String... labels) {
        this.id = id;
        this.kind = kind;
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

    String unit() {
        return unit;
    }

    String description() {
        return description;
    }

    List<String> labels() {
        return labels.isEmpty() ? List.of() : List.of(labels.split(" ", -1));
    }

    /** As Prometheus spells it. */
    String prometheusName() {
        return id.replace('.', '_').toLowerCase(Locale.ROOT)
                + (kind == Kind.COUNTER ? "_total" : "");
    }
}

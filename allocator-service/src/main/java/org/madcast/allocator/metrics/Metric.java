package org.madcast.allocator.metrics;

/** Every metric of the service: its name, its unit in the name, and what it says. */
enum Metric {
    GROUPS("madcast.groups", "Groups by scope and state (leased, quarantined, free)"),
    GRANTS("madcast.lease.grants", "Leases granted, by scope"),
    REFUSALS("madcast.lease.refusals", "Leases refused, by scope and reason"),
    RENEWALS("madcast.lease.renewals", "Leases renewed, by scope"),
    RELEASES("madcast.lease.releases", "Leases given back, by scope"),
    REPORTS("madcast.reports", "Reports of ranks, by whether they were new"),
    MADCAP("madcast.madcap.datagrams", "Datagrams to the MADCAP server, by what became of them");

    private final String id;
    private final String description;

    Metric(String id, String description) {
        this.id = id;
        this.description = description;
    }

    String id() {
        return id;
    }

    String description() {
        return description;
    }
}

package org.madcast.client.protocol;

/**
 * Notices that multicast, which worked once, does not reach this rank any more: a switch lost its
 * querier, a filter was changed. The sign is that fragments which were multicast arrive only as
 * unicast repairs, {@link #REPAIRS} of them in a row over at least {@link #SILENCE_NS}. Loss alone,
 * even of 30 %, shows that pattern once in 15,000 fragments.
 */
final class GroupWatch {

    static final int REPAIRS = 8;
    static final long SILENCE_NS = 250_000_000;

    private long lastHeardNs;
    private int repairsSince;

    GroupWatch(long nowNs) {
        lastHeardNs = nowNs;
    }

    /** Something arrived by multicast. */
    void heard(long nowNs) {
        lastHeardNs = nowNs;
        repairsSince = 0;
    }

    /** A fragment that was multicast arrived by unicast; true when the group has fallen silent. */
    boolean repaired(long nowNs) {
        repairsSince++;
        return repairsSince >= REPAIRS && nowNs - lastHeardNs >= SILENCE_NS;
    }
}

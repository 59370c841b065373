package org.madcast.netsim;

/** Something that happens to a node itself, at a planned time. */
public sealed interface NodeFault {

    /** Which node. */
    int node();

    /**
     * The process is stopped for an interval, as by SIGSTOP: no calls are made on the node. What
     * comes waits in the receive buffer as far as it fits; deadlines that pass are served at the
     * end; what was already on the uplink leaves.
     *
     * @param node which node
     * @param fromNs start
     * @param untilNs end
     */
    record Pause(int node, long fromNs, long untilNs) implements NodeFault {}

    /**
     * The process dies and never comes back. What was already on the uplink leaves.
     *
     * @param node which node
     * @param atNs when
     */
    record Crash(int node, long atNs) implements NodeFault {}
}

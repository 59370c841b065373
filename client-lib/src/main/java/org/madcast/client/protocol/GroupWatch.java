package org.madcast.client.protocol;

import org.madcast.client.wire.DatagramType;

/**
 * Knows whether multicast serves and which algorithm does, and notices that multicast, which worked
 * once, does not reach this rank any more: a switch lost its querier, a filter was changed. The
 * sign is that fragments which were multicast arrive only as unicast repairs, {@link #REPAIRS} of
 * them in a row over at least {@link #SILENCE_NS}. Loss alone, even of 30 %, shows that pattern
 * once in 15,000 fragments.
 */
final class GroupWatch {

    static final int REPAIRS = 8;
    static final long SILENCE_NS = 250_000_000;

    private final EngineConfig config;
    private final ProgressTree tree;
    private final boolean[] multicasts;
    private final int[] parts;
    private long lastHeardNs;
    private int repairsSince;

    GroupWatch(EngineConfig config, ProgressTree tree, long nowNs) {
        this.config = config;
        this.tree = tree;
        int algorithms = config.disseminations().size();
        multicasts = new boolean[algorithms];
        parts = new int[algorithms];
        for (int i = 0; i < algorithms; i++) {
            multicasts[i] = config.disseminations().get(i).multicasts();
            parts[i] = config.disseminations().get(i).parts(config.size());
        }
        lastHeardNs = nowNs;
    }

    /** Whether the group may be used; while that is being found out, it may. */
    boolean works() {
        return tree.probe.maybeWorks();
    }

    boolean multicasts(int algorithm) {
        return multicasts[algorithm];
    }

    /** Whether a root sends what goes by the algorithm to the group now. */
    boolean takes(int algorithm) {
        return multicasts[algorithm] && works();
    }

    private boolean sendsTwice(int algorithm) {
        return config.disseminations().get(algorithm).sendsTwice();
    }

    /** Whether the fragments of a message come to all ranks in their order, but for losses. */
    boolean inOrder(int algorithm) {
        return multicasts[algorithm] && !sendsTwice(algorithm);
    }

    int parts(int algorithm) {
        return parts[algorithm];
    }

    /**
     * What serves instead of the algorithm, since the call began, when multicast has died. One that
     * sends everything twice goes on with its second stage alone.
     */
    int algorithmFor(int wanted) {
        boolean served = !multicasts(wanted) || works() || sendsTwice(wanted);
        return served ? wanted : config.unicastAlgorithm();
    }

    /** A fragment arrived, new or not. */
    void onFragment(long nowNs, DatagramType type, int algorithm) {
        if (!works()) {
            // What comes by unicast now says nothing about a group that is not used yet.
            lastHeardNs = nowNs;
            repairsSince = 0;
        } else if (type == DatagramType.GROUP_REPAIR
                || (type == DatagramType.DATA && multicasts(algorithm))) {
            lastHeardNs = nowNs;
            repairsSince = 0;
        } else if (type == DatagramType.REPAIR && multicasts(algorithm)) {
            repairsSince++;
            if (repairsSince >= REPAIRS && nowNs - lastHeardNs >= SILENCE_NS) {
                tree.lostGroup(nowNs);
            }
        }
    }
}

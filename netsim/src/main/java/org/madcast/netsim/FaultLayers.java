package org.madcast.netsim;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A plan's faults at work in one simulation, sorted by the side they sit on. */
final class FaultLayers {

    private final List<FaultLayer> uplink = new ArrayList<>();
    private final List<FaultLayer> downlink = new ArrayList<>();

    FaultLayers(FaultPlan plan, long seed, int nodeCount) {
        Map<String, Integer> seen = new HashMap<>();
        for (Fault fault : plan.faults()) {
            int occurrence = seen.merge(fault.name(), 1, Integer::sum);
            RandomStream random = RandomStream.of(seed, fault.name() + '#' + occurrence);
            on(fault.side()).add(fault.opening().open(random, nodeCount));
        }
    }

    boolean isEmpty(LinkSide side) {
        return on(side).isEmpty();
    }

    void judge(Passage passage) {
        List<FaultLayer> layers = on(passage.side());
        for (int i = 0; i < layers.size(); i++) {
            layers.get(i).judge(passage);
        }
    }

    private List<FaultLayer> on(LinkSide side) {
        return side == LinkSide.UPLINK ? uplink : downlink;
    }
}

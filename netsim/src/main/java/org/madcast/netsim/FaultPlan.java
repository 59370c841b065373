package org.madcast.netsim;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * All that goes wrong in a simulation. Immutable, and may be used for any number of simulations.
 *
 * @param faults the network's, asked in this order
 * @param nodeFaults the nodes'
 */
public record FaultPlan(List<Fault> faults, List<NodeFault> nodeFaults) {

    /** Nothing goes wrong. */
    public static final FaultPlan NONE = new FaultPlan(List.of(), List.of());

    /** Copies the lists. */
    public FaultPlan {
        faults = List.copyOf(faults);
        nodeFaults = List.copyOf(nodeFaults);
    }

    /** A plan of faults of the network. */
    public static FaultPlan of(Fault... faults) {
        return new FaultPlan(Arrays.asList(faults), List.of());
    }

    /** This plan and one more fault of the network. */
    public FaultPlan with(Fault fault) {
        return new FaultPlan(appended(faults, fault), nodeFaults);
    }

    /** This plan, and a node is stopped for an interval; see {@link NodeFault.Pause}. */
    public FaultPlan pause(int node, long fromNs, long untilNs) {
        return new FaultPlan(
                faults, appended(nodeFaults, new NodeFault.Pause(node, fromNs, untilNs)));
    }

    /** This plan, and a node dies; see {@link NodeFault.Crash}. */
    public FaultPlan crash(int node, long atNs) {
        return new FaultPlan(faults, appended(nodeFaults, new NodeFault.Crash(node, atNs)));
    }

    private static <T> List<T> appended(List<? extends T> list, T last) {
        List<T> longer = new ArrayList<>(list);
        longer.add(last);
        return longer;
    }
}

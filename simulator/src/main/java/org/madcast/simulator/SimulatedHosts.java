package org.madcast.simulator;

import java.util.List;
import org.madcast.netsim.FaultPlan;
import org.madcast.netsim.Faults;
import org.madcast.netsim.HostCosts;
import org.madcast.netsim.HostModel;
import org.madcast.netsim.SimulatedNode;
import org.madcast.netsim.Simulation;

/** Makes simulations of a job's network, whatever runs on its hosts. */
final class SimulatedHosts {

    private static final long RECEIVE_BUFFER_BYTES = 4 * 1024 * 1024;

    private SimulatedHosts() {}

    /** A network with these nodes on the hosts of the ranks 0, 1, ... */
    static Simulation of(JobSettings settings, List<? extends SimulatedNode> nodes) {
        FaultPlan faults =
                settings.lossPercent() == 0
                        ? FaultPlan.NONE
                        : FaultPlan.of(Faults.loss(settings.lossPercent() / 100));
        return of(settings, nodes, faults, RECEIVE_BUFFER_BYTES);
    }

    /** The same where no host drops anything, as connections have it. */
    static Simulation withoutLoss(JobSettings settings, List<? extends SimulatedNode> nodes) {
        return of(settings, nodes, FaultPlan.NONE, 0);
    }

    private static Simulation of(
            JobSettings settings,
            List<? extends SimulatedNode> nodes,
            FaultPlan faults,
            long receiveBufferBytes) {
        JobNetwork network = settings.network();
        Simulation simulation =
                new Simulation(network.framing(), network.topology(), faults, settings.seed());
        ProcessorCosts costs = settings.costs();
        if (costs.shared() > 0) {
            simulation.shareProcessors(costs.shared(), costs.wakeNs());
        }
        HostCosts each = HostCosts.bothWays(costs.gapNs(), costs.gapNsPerByte());
        for (int rank = 0; rank < nodes.size(); rank++) {
            JobNetwork.Place place = network.places().get(rank);
            HostModel host =
                    new HostModel(place.uplink(), place.downlink(), receiveBufferBytes, each);
            int _ = simulation.addNode(nodes.get(rank), host, place.switchNumber());
        }
        return simulation;
    }
}

package org.madcast.simulator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.madcast.client.topology.SwitchTree;
import org.madcast.netsim.Framing;
import org.madcast.netsim.LinkModel;
import org.madcast.netsim.SwitchTopology;
import org.madcast.netsim.SwitchTopology.Forwarding;
import org.madcast.netsim.SwitchTopology.Trunk;

/**
 * The hosts of a job, one for each rank, and the switches between them. Immutable.
 *
 * @param framing what a datagram becomes on a cable
 * @param topology the switches
 * @param places each rank's
 */
public record JobNetwork(Framing framing, SwitchTopology topology, List<Place> places) {

    /**
     * Where a rank is.
     *
     * @param switchNumber the switch that its host is on
     * @param uplink from the host
     * @param downlink to it
     */
    public record Place(int switchNumber, LinkModel uplink, LinkModel downlink) {}

    /** Copies the list. */
    public JobNetwork {
        places = List.copyOf(places);
    }

    /**
     * Hosts that are alike, dealt in blocks to switches that form a binary tree, as in the lab.
     *
     * @param ranks how many hosts
     * @param rate of their cables, in bit/s; 0 for no limit
     * @param switches how many, at most as many as hosts
     * @param trunkRate of the cables between the switches, in bit/s; 0 for no limit
     * @param cutThrough whether switches pass datagrams on before they have all of them
     */
    public static JobNetwork uniform(
            int ranks,
            long rate,
            int switches,
            long trunkRate,
            boolean cutThrough,
            CableModel cables) {
        if (switches < 1 || switches > ranks || rate < 0 || trunkRate < 0) {
            throw new IllegalArgumentException(
                    "%d hosts at %d bit/s on %d switches at %d bit/s"
                            .formatted(ranks, rate, switches, trunkRate));
        }
        List<Place> places = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            int on = (int) ((long) rank * switches / ranks);
            places.add(new Place(on, cables.uplink(rate), cables.port(rate)));
        }
        SwitchTopology topology =
                SwitchTopology.binaryTree(switches, cables.port(trunkRate), forwarding(cutThrough));
        return new JobNetwork(cables.framing(), topology, places);
    }

    private static Forwarding forwarding(boolean cutThrough) {
        return cutThrough ? Forwarding.CUT_THROUGH : Forwarding.STORE_AND_FORWARD;
    }

    /**
     * The hosts and switches of a tree. The ranks are where it says, else on its hosts in their
     * order.
     *
     * @param ranks how many; 0 for as many as it has, or as it has hosts
     * @param cutThrough whether switches pass datagrams on before they have all of them
     * @throws IllegalArgumentException when there are more ranks than hosts, or two on one host
     */
    public static JobNetwork of(SwitchTree tree, int ranks, boolean cutThrough, CableModel cables) {
        List<Integer> hosts = hosts(tree);
        int wanted = ranks == 0 ? hosts.size() : ranks;
        if (wanted > hosts.size()) {
            throw new IllegalArgumentException(
                    "%d ranks, but %d hosts".formatted(wanted, hosts.size()));
        }
        Map<Integer, Place> places = new HashMap<>();
        List<Trunk> trunks = new ArrayList<>();
        for (SwitchTree.Cable cable : tree.cables()) {
            int host = Math.max(cable.one(), cable.other());
            int other = Math.min(cable.one(), cable.other());
            long rate = cable.bitsPerSecond();
            if (tree.isHost(host)) {
                places.put(host, new Place(other, cables.uplink(rate), cables.port(rate)));
            } else {
                trunks.add(new Trunk(other, host, cables.port(rate)));
            }
        }
        List<Place> placed = new ArrayList<>();
        for (int host : hosts.subList(0, wanted)) {
            Place place = places.remove(host);
            if (place == null) {
                throw new IllegalArgumentException(
                        "several ranks are on %s; a simulated host has one"
                                .formatted(tree.name(host)));
            }
            placed.add(place);
        }
        SwitchTopology topology =
                new SwitchTopology(tree.switches(), trunks, forwarding(cutThrough));
        return new JobNetwork(cables.framing(), topology, placed);
    }

    /** Of each rank in turn. */
    private static List<Integer> hosts(SwitchTree tree) {
        return tree.ranks().isEmpty()
                ? IntStream.range(0, tree.hosts()).mapToObj(tree::host).toList()
                : List.copyOf(tree.ranks().values());
    }
}

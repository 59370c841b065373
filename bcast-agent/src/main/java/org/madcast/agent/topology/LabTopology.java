package org.madcast.agent.topology;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.client.topology.SwitchTree;
import org.madcast.client.topology.TreeFile;
import org.madcast.lab.LabSpec;
import org.madcast.lab.LabTree;
import org.madcast.lab.LinkRate;

/**
 * A topology as a lab has it: host i is that of rank i, and hosts without a rank are left out.
 *
 * @param cables the lab's switches and hosts
 * @param text a topology file for the ranks
 */
public record LabTopology(LabTree cables, String text) {

    /**
     * The lab for a topology.
     *
     * @throws CommandFailure when several ranks are on one host
     */
    public static LabTopology of(PlacedTopology topology) {
        SwitchTree tree = topology.tree();
        Map<List<Integer>, LinkRate> rates = new HashMap<>();
        for (SwitchTree.Cable cable : tree.cables()) {
            LinkRate rate = new LinkRate(cable.bitsPerSecond());
            rates.put(List.of(cable.one(), cable.other()), rate);
            rates.put(List.of(cable.other(), cable.one()), rate);
        }
        List<Integer> switches = new ArrayList<>(List.of(0));
        List<LabTree.Link> trunks = new ArrayList<>();
        for (int i = 0; i < switches.size(); i++) {
            int above = switches.get(i);
            for (int next : tree.neighbours(above)) {
                if (!tree.isHost(next) && next != tree.parent(above)) {
                    switches.add(next);
                    trunks.add(
                            new LabTree.Link(
                                    i, Optional.ofNullable(rates.get(List.of(above, next)))));
                }
            }
        }
        List<LabTree.Link> cables = new ArrayList<>();
        StringBuilder ranks = new StringBuilder();
        Map<Integer, Integer> taken = new HashMap<>();
        for (int rank = 0; rank < topology.ranks(); rank++) {
            int host = tree.host(topology.hostIndexes().get(rank));
            Integer other = taken.putIfAbsent(host, rank);
            if (other != null) {
                throw new CommandFailure(
                        ExitCode.NO_INPUT,
                        "the ranks %d and %d are both on %s, but a lab has one rank on a host"
                                .formatted(other, rank, tree.name(host)));
            }
            int at = tree.switchOf(host);
            cables.add(
                    new LabTree.Link(
                            switches.indexOf(at),
                            Optional.ofNullable(rates.get(List.of(host, at)))));
            ranks.append("rank ").append(rank).append(' ').append(tree.name(host)).append('\n');
        }
        String text = TreeFile.text(tree);
        return new LabTopology(
                new LabTree(trunks, cables), tree.ranks().isEmpty() ? text + ranks : text);
    }

    /**
     * The same lab with these cables; its rate is that of the slowest.
     *
     * @throws IllegalArgumentException when a lab cannot be that large
     */
    public LabSpec lab(LabSpec plain) {
        LabSpec.Builder builder =
                LabSpec.builder()
                        .tree(cables)
                        .lossPercent(plain.lossPercent())
                        .mtuBytes(plain.mtuBytes())
                        .superframes(plain.superframes());
        long slowest =
                Stream.concat(cables.trunks().stream(), cables.cables().stream())
                        .flatMap(link -> link.rate().stream())
                        .mapToLong(LinkRate::bitsPerSecond)
                        .min()
                        .orElse(0);
        return (slowest == 0 ? builder : builder.rate(new LinkRate(slowest))).build();
    }
}

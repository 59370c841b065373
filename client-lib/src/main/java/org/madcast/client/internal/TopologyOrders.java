package org.madcast.client.internal;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Topology;
import org.madcast.client.lease.Member;
import org.madcast.client.topology.Placement;
import org.madcast.client.topology.RankOrder;
import org.madcast.client.topology.SwitchTree;

/** Finds out on which hosts of a topology the ranks are, and so in which order to send. */
final class TopologyOrders {

    private final String name;
    private final SwitchTree tree;
    private final Map<InetAddress, Integer> hosts = new HashMap<>();
    private boolean resolved;

    private TopologyOrders(String name, SwitchTree tree) {
        this.name = name;
        this.tree = tree;
    }

    /**
     * The order of the ranks of a world by a file.
     *
     * @param file where the tree comes from, for messages
     * @throws IllegalArgumentException when a rank is on none of the tree's hosts
     */
    static RankOrder ofFile(Path file, SwitchTree tree, List<Member> members) {
        TopologyOrders orders = new TopologyOrders(file.toString(), tree);
        return RankOrder.of(tree, members.stream().map(orders::host).toList());
    }

    /** The order of the ranks of a part of a world; null where that has none. */
    static @Nullable RankOrder ofPart(MessageGroup part, int size) {
        RankOrder world = part.world().order();
        return world == null
                ? null
                : RankOrder.of(
                        world.tree(),
                        IntStream.range(0, size)
                                .mapToObj(rank -> world.host(part.inWorld(rank)))
                                .toList());
    }

    /** New numbers of the ranks of a part that put those near that exchange much. */
    static int[] numbers(MessageGroup part, List<Topology.Link> links) {
        RankOrder order = ofPart(part, part.size());
        if (order == null) {
            return IntStream.range(0, part.size()).toArray();
        }
        return Placement.numbers(
                order,
                links.stream()
                        .filter(it -> it.one() != it.other())
                        .map(it -> new Placement.Exchange(it.one(), it.other(), it.weight()))
                        .toList());
    }

    private int host(Member member) {
        int rank = member.rank();
        if (!tree.ranks().isEmpty()) {
            Integer host = tree.ranks().get(rank);
            if (host == null) {
                throw new IllegalArgumentException(
                        "%s puts the ranks 0 to %d on hosts, but not rank %d"
                                .formatted(name, tree.ranks().lastKey(), rank));
            }
            return host;
        }
        InetAddress address = withoutZone(member.endpoint().getAddress());
        if (hosts.isEmpty()) {
            nameAddresses(false);
        }
        if (!hosts.containsKey(address) && !resolved) {
            resolved = true;
            nameAddresses(true);
        }
        Integer host = hosts.get(address);
        if (host == null) {
            throw new IllegalArgumentException(
                    "rank %d at %s is on no host of %s: give the host's address in an 'address' line"
                            .formatted(rank, address.getHostAddress(), name));
        }
        return host;
    }

    /** Addresses that stand there, or those that the names of the other hosts stand for. */
    private void nameAddresses(boolean ofNames) {
        for (int index = 0; index < tree.hosts(); index++) {
            int host = tree.host(index);
            List<String> known = new ArrayList<>(tree.addresses(host));
            known.add(tree.name(host));
            for (String each : known) {
                for (InetAddress address : addresses(each, ofNames)) {
                    hosts.putIfAbsent(withoutZone(address), host);
                }
            }
        }
    }

    private static List<InetAddress> addresses(String text, boolean ofNames) {
        try {
            return ofNames
                    ? List.of(InetAddress.getAllByName(text))
                    : List.of(InetAddress.ofLiteral(text));
        } catch (IllegalArgumentException | UnknownHostException unknown) {
            return List.of();
        }
    }

    /** An address of a link is the same one whatever the link is called here. */
    private static InetAddress withoutZone(InetAddress address) {
        try {
            return InetAddress.getByAddress(address.getAddress());
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}

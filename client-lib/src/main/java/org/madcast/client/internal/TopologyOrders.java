package org.madcast.client.internal;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.madcast.client.lease.Member;
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
     * The order of these ranks; null without a tree.
     *
     * @param file where the tree comes from, for messages
     * @param inWorld the number in the world of a rank, which is what the file's ranks are
     * @throws IllegalArgumentException when a rank is on none of the tree's hosts
     */
    static @Nullable RankOrder order(
            @Nullable Path file,
            @Nullable SwitchTree tree,
            List<Member> members,
            IntUnaryOperator inWorld) {
        if (file == null || tree == null) {
            return null;
        }
        TopologyOrders orders = new TopologyOrders(file.toString(), tree);
        List<Integer> hosts = new ArrayList<>();
        for (Member member : members) {
            hosts.add(orders.host(inWorld.applyAsInt(member.rank()), member));
        }
        return RankOrder.of(tree, hosts);
    }

    private int host(int rank, Member member) {
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

package org.madcast.agent.topology;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.client.topology.BinaryTrees;
import org.madcast.client.topology.RankOrder;
import org.madcast.client.topology.SwitchTree;
import org.madcast.client.topology.TreeFile;

/**
 * A tree of switches and the hosts of ranks: those that its file names, else rank i is on the i-th
 * host. Immutable.
 */
public final class PlacedTopology {

    private final SwitchTree tree;
    private final List<Integer> hosts;
    private final RankOrder order;

    /** A message from a rank to another, while others are under way. */
    record Message(int from, int to) {}

    private PlacedTopology(SwitchTree tree) {
        this.tree = tree;
        hosts =
                tree.ranks().isEmpty()
                        ? IntStream.range(0, tree.hosts()).mapToObj(tree::host).toList()
                        : List.copyOf(tree.ranks().values());
        order = RankOrder.of(tree, hosts);
    }

    /**
     * What a file declares.
     *
     * @throws CommandFailure saying which file, which line and what is wrong
     */
    public static PlacedTopology read(Path file) {
        if (!Files.isRegularFile(file)) {
            throw new CommandFailure(
                    ExitCode.NO_INPUT, "the topology " + file + " is missing, or no file");
        }
        try {
            return new PlacedTopology(TreeFile.read(file));
        } catch (IllegalArgumentException wrong) {
            throw new CommandFailure(ExitCode.NO_INPUT, String.valueOf(wrong.getMessage()), wrong);
        }
    }

    /** The switches, hosts and cables. */
    public SwitchTree tree() {
        return tree;
    }

    /** How many ranks there are. */
    public int ranks() {
        return hosts.size();
    }

    /** Each rank's host as a number among the hosts, 0 to {@code tree().hosts() - 1}. */
    public List<Integer> hostIndexes() {
        return hosts.stream().map(host -> host - tree.switches()).toList();
    }

    RankOrder order() {
        return order;
    }

    String host(int rank) {
        return tree.name(hosts.get(rank));
    }

    /** The ranks on a host, as they are counted. */
    List<Integer> ranksOn(int host) {
        return IntStream.range(0, hosts.size())
                .filter(rank -> hosts.get(rank) == host)
                .boxed()
                .toList();
    }

    /** Who sends to whom in a chain by the ranks' numbers. */
    List<Message> chainByNumber(int root) {
        return IntStream.range(0, hosts.size() - 1)
                .mapToObj(
                        i -> new Message((root + i) % hosts.size(), (root + i + 1) % hosts.size()))
                .toList();
    }

    /** Who sends to whom in a binary tree by the ranks' numbers. */
    List<Message> binaryByNumber(int root) {
        return IntStream.range(1, hosts.size())
                .mapToObj(i ->
                        new Message((root + (i - 1) / 2) % hosts.size(), (root + i) % hosts.size()))
                .toList();
    }

    /** Who sends to whom in a chain that follows the switches. */
    List<Message> chain(int root) {
        return IntStream.range(0, hosts.size() - 1)
                .mapToObj(i -> new Message(order.rank(i, root), order.rank(i + 1, root)))
                .toList();
    }

    /** Who sends to whom in a binary tree that follows the switches. */
    List<Message> binary(int root) {
        BinaryTrees trees = BinaryTrees.of(order, root);
        List<Message> messages = new ArrayList<>();
        for (int place = 0; place < hosts.size(); place++) {
            int rank = order.rank(place, root);
            for (int index = 0; trees.child(index, rank) >= 0; index++) {
                messages.add(new Message(rank, trees.child(index, rank)));
            }
        }
        return messages;
    }

    /** The messages of each direction of a cable, as from and to a node. */
    Map<List<Integer>, List<Message>> uses(List<Message> messages) {
        Map<List<Integer>, List<Message>> uses = new HashMap<>();
        for (Message message : messages) {
            List<Integer> path = tree.path(hosts.get(message.from), hosts.get(message.to));
            for (int i = 0; i + 1 < path.size(); i++) {
                uses.computeIfAbsent(List.of(path.get(i), path.get(i + 1)), _ -> new ArrayList<>())
                        .add(message);
            }
        }
        return uses;
    }

    /**
     * How long, in nanoseconds for a byte, the slowest cable takes for one byte of each message
     * that crosses it; messages of one rank too, which it sends one after the other.
     */
    double nanosPerByte(List<Message> messages) {
        Map<List<Integer>, Long> rates = new HashMap<>();
        for (SwitchTree.Cable cable : tree.cables()) {
            rates.put(List.of(cable.one(), cable.other()), cable.bitsPerSecond());
            rates.put(List.of(cable.other(), cable.one()), cable.bitsPerSecond());
        }
        return uses(messages).entrySet().stream()
                .mapToDouble(use ->
                        8e9
                                * use.getValue().size()
                                / rates.getOrDefault(use.getKey(), Long.MAX_VALUE))
                .max()
                .orElse(0);
    }

    /** The most ranks that send over a cable in one direction at once. */
    int mostSenders(List<Message> messages) {
        return uses(messages).values().stream()
                .mapToInt(each -> (int) each.stream().map(Message::from).distinct().count())
                .max()
                .orElse(0);
    }

    /** In which step a rank gets the first segment, if a message takes a step; from 0 on. */
    Map<Integer, Integer> steps(List<Message> messages, int root) {
        Map<Integer, Integer> steps = new TreeMap<>(Map.of(root, 0));
        Map<Integer, Integer> sent = new HashMap<>();
        for (Message message : messages) {
            int before = sent.merge(message.from, 1, Integer::sum);
            steps.put(message.to, steps.getOrDefault(message.from, 0) + before);
        }
        return steps;
    }
}

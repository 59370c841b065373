package org.madcast.client.topology;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/** Random trees of switches with random ranks, and what messages do to their cables. */
final class RandomTrees {

    /** A message from a rank to another. */
    record Message(int from, int to) {}

    private RandomTrees() {}

    /** Each switch on a random earlier one, hosts on random switches. */
    static SwitchTree tree(Random random, int switches, int hosts) {
        SwitchTreeBuilder tree = new SwitchTreeBuilder();
        for (int i = 0; i < switches; i++) {
            tree.addSwitch("s" + i);
            if (i > 0) {
                tree.addCable("s" + random.nextInt(i), "s" + i, 1);
            }
        }
        for (int i = 0; i < hosts; i++) {
            tree.addHost("h" + i, "s" + random.nextInt(switches), 1);
        }
        return tree.build();
    }

    /** As seed 001 makes them: random cables between switches, without those that close a cycle. */
    static SwitchTree treeOfThePaper(Random random, int switches, int hosts) {
        SwitchTreeBuilder tree = new SwitchTreeBuilder();
        for (int i = 0; i < switches; i++) {
            tree.addSwitch("s" + i);
        }
        int[] part = IntStream.range(0, switches).toArray();
        for (int cables = 0; cables < switches - 1; ) {
            int one = random.nextInt(switches);
            int other = random.nextInt(switches);
            int old = part[one];
            if (old != part[other]) {
                tree.addCable("s" + one, "s" + other, 1);
                for (int i = 0; i < switches; i++) {
                    part[i] = part[i] == old ? part[other] : part[i];
                }
                cables++;
            }
        }
        for (int i = 0; i < hosts; i++) {
            tree.addHost("h" + i, "s" + random.nextInt(switches), 1);
        }
        return tree.build();
    }

    /** A rank on each host, in random order. */
    static RankOrder shuffled(Random random, SwitchTree tree) {
        List<Integer> hosts =
                new ArrayList<>(IntStream.range(0, tree.hosts()).map(tree::host).boxed().toList());
        Collections.shuffle(hosts, random);
        return RankOrder.of(tree, hosts);
    }

    /** How many different senders use the busiest direction of a cable. */
    static int mostSendersOfACable(RankOrder order, List<Message> messages) {
        Map<List<Integer>, List<Integer>> senders = new HashMap<>();
        for (Message message : messages) {
            List<Integer> path =
                    order.tree().path(order.host(message.from), order.host(message.to));
            for (int i = 0; i + 1 < path.size(); i++) {
                senders.computeIfAbsent(
                                List.of(path.get(i), path.get(i + 1)), _ -> new ArrayList<>())
                        .add(message.from);
            }
        }
        return senders.values().stream()
                .mapToInt(each -> (int) each.stream().distinct().count())
                .max()
                .orElse(0);
    }
}

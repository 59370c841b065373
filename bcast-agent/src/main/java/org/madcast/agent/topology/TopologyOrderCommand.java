package org.madcast.agent.topology;

import java.io.PrintWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import org.madcast.agent.terminal.Table;
import org.madcast.agent.terminal.Wrapped;
import org.madcast.agent.topology.PlacedTopology.Message;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code madcast topology order}. */
@ExitCodes(ExitCode.NO_INPUT)
@Command(
        name = "order",
        header = "Print the order of ranks in which no cable is used twice.",
        description = {
            "",
            "It is that of a walk through the switches, depth first (Patarasuk, Faraj, Yuan). A table"
                    + " compares chain and binary tree in this order with those by the ranks' numbers: how"
                    + " many ranks send over the busiest cable at once, and how long the slowest cable takes"
                    + " for 1 MiB."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast topology order net.topology",
            "  madcast topology order --hosts net.topology > hostfile"
        })
final class TopologyOrderCommand implements Callable<Integer> {

    private static final int WIDTH = 80;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private RootedTopology given = new RootedTopology();

    @Option(
            names = "--hosts",
            description = "Print only the names of the hosts, one a line: a host file.")
    private boolean hosts;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        PlacedTopology topology = given.read();
        int root = given.root();
        List<Integer> ranks =
                IntStream.range(0, topology.ranks())
                        .mapToObj(place -> topology.order().rank(place, root))
                        .toList();
        if (hosts) {
            ranks.stream().map(topology::host).distinct().forEach(out::println);
        } else {
            List<String> words =
                    ranks.stream().map(rank -> rank + "@" + topology.host(rank)).toList();
            Wrapped.lines(words, WIDTH).forEach(out::println);
            out.println();
            compare(topology, root).print(out);
        }
        out.flush();
        return ExitCode.OK.code();
    }

    private static Table compare(PlacedTopology topology, int root) {
        Table table = new Table("tree", "order", "senders on a cable", "1 MiB", "height");
        row(table, topology, "chain", "numbers", topology.chainByNumber(root), root);
        row(table, topology, "chain", "switches", topology.chain(root), root);
        row(table, topology, "binary", "numbers", topology.binaryByNumber(root), root);
        row(table, topology, "binary", "switches", topology.binary(root), root);
        return table;
    }

    private static void row(
            Table table,
            PlacedTopology topology,
            String tree,
            String order,
            List<Message> messages,
            int root) {
        Map<Integer, Integer> heights = new HashMap<>(Map.of(root, 0));
        messages.forEach(
                message -> heights.put(message.to(), heights.getOrDefault(message.from(), 0) + 1));
        table.row(
                tree,
                order,
                topology.mostSenders(messages),
                String.format(
                        Locale.ROOT, "%.1f ms", topology.nanosPerByte(messages) * (1 << 20) / 1e6),
                heights.values().stream().mapToInt(Integer::intValue).max().orElse(0));
    }
}

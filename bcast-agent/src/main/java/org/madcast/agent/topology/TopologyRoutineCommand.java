package org.madcast.agent.topology;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import org.madcast.agent.terminal.Table;
import org.madcast.agent.topology.PlacedTopology.Message;
import org.madcast.client.topology.SwitchTree;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code madcast topology routine}. */
@ExitCodes(ExitCode.NO_INPUT)
@Command(
        name = "routine",
        header = "Print the schedule of a broadcast that follows the switches.",
        description = {
            "",
            "A message is cut into segments. Each rank sends each of them to those that the table names,"
                    + " in this order; 'step' is when the first segment has arrived, if each message takes"
                    + " one. A drawing shows which messages cross the cables between switches: > towards the"
                    + " switches below, < up."
        },
        footerHeading = "%nExample:%n",
        footer = "  madcast topology routine --algorithm binary --root 3 net.topology")
final class TopologyRoutineCommand implements Callable<Integer> {

    /** The trees that follow switches. */
    enum Shape {
        CHAIN,
        BINARY
    }

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private RootedTopology given = new RootedTopology();

    @Option(
            names = "--algorithm",
            paramLabel = "NAME",
            defaultValue = "chain",
            description = "chain or binary (default ${DEFAULT-VALUE}).")
    private Shape shape = Shape.CHAIN;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        PlacedTopology topology = given.read();
        int root = given.root();
        List<Message> messages =
                shape == Shape.CHAIN ? topology.chain(root) : topology.binary(root);
        table(topology, messages, root).print(out);
        out.println();
        Map<List<Integer>, List<Message>> uses = topology.uses(messages);
        SwitchTree tree = topology.tree();
        Drawing.of(
                        tree,
                        host -> tree.name(host) + ranks(topology, host),
                        node -> trunk(uses, tree.parent(node), node))
                .forEach(out::println);
        out.flush();
        return ExitCode.OK.code();
    }

    private static Table table(PlacedTopology topology, List<Message> messages, int root) {
        Map<Integer, Integer> steps = topology.steps(messages, root);
        Table table = new Table("rank", "host", "from", "to", "step");
        for (int place = 0; place < topology.ranks(); place++) {
            int rank = topology.order().rank(place, root);
            String from =
                    messages.stream()
                            .filter(message -> message.to() == rank)
                            .map(message -> Integer.toString(message.from()))
                            .findFirst()
                            .orElse("-");
            String to =
                    messages.stream()
                            .filter(message -> message.from() == rank)
                            .map(message -> Integer.toString(message.to()))
                            .collect(Collectors.joining(", "));
            table.row(
                    rank,
                    topology.host(rank),
                    from,
                    to.isEmpty() ? "-" : to,
                    steps.getOrDefault(rank, 0));
        }
        return table;
    }

    private static String ranks(PlacedTopology topology, int host) {
        return topology.ranksOn(host).stream()
                .map(String::valueOf)
                .collect(Collectors.joining(",", "[", "]"));
    }

    private static String trunk(Map<List<Integer>, List<Message>> uses, int above, int node) {
        return side(uses, " >", above, node) + side(uses, " <", node, above);
    }

    private static String side(
            Map<List<Integer>, List<Message>> uses, String sign, int from, int to) {
        return uses.getOrDefault(List.of(from, to), List.of()).stream()
                .map(message -> sign + message.from() + "-" + message.to())
                .collect(Collectors.joining());
    }
}

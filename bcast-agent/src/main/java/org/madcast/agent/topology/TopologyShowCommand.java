package org.madcast.agent.topology;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import org.madcast.client.topology.SwitchTree;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code madcast topology show}. */
@ExitCodes(ExitCode.NO_INPUT)
@Command(
        name = "show",
        header = "Draw a tree of switches.",
        description = {
            "",
            "Below each switch stand its hosts, with their ranks in brackets where the file has them, and"
                    + " the switches behind it, with the rates of their cables."
        },
        footerHeading = "%nExample:%n",
        footer = "  madcast topology show net.topology")
final class TopologyShowCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "FILE", description = "A topology, or Slurm's topology.conf.")
    private Path file = Path.of("");

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        PlacedTopology topology = PlacedTopology.read(file);
        SwitchTree tree = topology.tree();
        out.printf(
                "%d %s, %d hosts, %d ranks%n",
                tree.switches(),
                tree.switches() == 1 ? "switch" : "switches",
                tree.hosts(),
                tree.ranks().size());
        Drawing.of(tree, host -> host(topology, host), _ -> "").forEach(out::println);
        out.flush();
        return ExitCode.OK.code();
    }

    private static String host(PlacedTopology topology, int host) {
        String name = topology.tree().name(host);
        if (topology.tree().ranks().isEmpty()) {
            return name;
        }
        List<Integer> ranks = topology.ranksOn(host);
        return ranks.isEmpty()
                ? name
                : ranks.stream()
                        .map(String::valueOf)
                        .collect(Collectors.joining(",", name + "[", "]"));
    }
}

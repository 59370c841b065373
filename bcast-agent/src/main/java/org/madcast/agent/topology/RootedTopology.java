package org.madcast.agent.topology;

import java.nio.file.Path;
import org.madcast.agent.Arguments;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The file and the root of the commands that plan a broadcast. */
final class RootedTopology {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "FILE", description = "A topology, or Slurm's topology.conf.")
    private Path file = Path.of("");

    @Option(
            names = "--root",
            paramLabel = "RANK",
            defaultValue = "0",
            description = "Which rank broadcasts (default ${DEFAULT-VALUE}).")
    private int root;

    /** The topology; refused when it does not have the root. */
    PlacedTopology read() {
        PlacedTopology topology = PlacedTopology.read(file);
        if (root < 0 || root >= topology.ranks()) {
            throw Arguments.wrong(
                    spec, "--root must be 0 to %d, not %d".formatted(topology.ranks() - 1, root));
        }
        return topology;
    }

    int root() {
        return root;
    }
}

package org.madcast.agent.topology;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import org.madcast.agent.terminal.FileTrouble;
import org.madcast.client.topology.TreeFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code madcast topology lldp}. */
@ExitCodes(ExitCode.NO_INPUT)
@Command(
        name = "lldp",
        header = "Make a topology of what nodes know of their neighbours.",
        description = {
            "",
            "Of each node it takes a file with the node's name that has what 'lldpctl -f keyvalue' prints"
                    + " there, and prints a topology. Hosts are enough where one switch has all of them;"
                    + " else switches must be asked too."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  for h in n1 n2 s1; do ssh $h lldpctl -f keyvalue > $h; done",
            "  madcast topology lldp n1 n2 s1 > net.topology"
        })
final class TopologyLldpCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "Named like the node.")
    private List<Path> files = List.of();

    @Override
    public Integer call() {
        LldpNeighbours neighbours = new LldpNeighbours();
        for (Path file : files) {
            try {
                String node = Objects.requireNonNull(file.getFileName()).toString();
                neighbours.add(node, Files.readString(file));
            } catch (IOException e) {
                throw wrong(file + " cannot be read: " + FileTrouble.of(e), e);
            } catch (IllegalArgumentException e) {
                throw wrong(file + ", " + e.getMessage(), e);
            }
        }
        try {
            PrintWriter out = spec.commandLine().getOut();
            out.print(TreeFile.text(neighbours.tree()));
            out.flush();
        } catch (IllegalArgumentException e) {
            throw wrong("the neighbours form no tree: " + e.getMessage(), e);
        }
        return ExitCode.OK.code();
    }

    private static CommandFailure wrong(String message, Exception cause) {
        return new CommandFailure(ExitCode.NO_INPUT, message, cause);
    }
}

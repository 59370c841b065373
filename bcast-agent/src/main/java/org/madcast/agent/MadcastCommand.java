package org.madcast.agent;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line as a whole. */
@Command(
        name = "madcast",
        version = "madcast 0.1.0-SNAPSHOT",
        header = "Reliable broadcast over IP multicast for parallel jobs.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "  build         Build what the other commands need, without tests.",
            "  test          Build everything and run every check and test.",
            "",
            "For a first look: madcast demo",
            "Help for a command: madcast COMMAND --help"
        })
public final class MadcastCommand implements Runnable {

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "name a command: " + String.join(", ", spec.subcommands().keySet()));
    }
}

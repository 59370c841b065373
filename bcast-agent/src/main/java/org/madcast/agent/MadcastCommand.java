package org.madcast.agent;

import picocli.CommandLine.Command;

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
public final class MadcastCommand extends CommandGroup {}

package org.madcast.agent.service;

import org.madcast.agent.CommandGroup;
import picocli.CommandLine.Command;

/** {@code madcast node}: the nodes with agents. */
@Command(
        name = "node",
        header = "Show the nodes whose agents report to the service.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {NodeListCommand.class},
        footerHeading = "%nExamples:%n",
        footer = {"  madcast node list"})
public final class NodeCommand extends CommandGroup {}

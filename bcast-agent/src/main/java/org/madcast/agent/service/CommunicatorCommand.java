package org.madcast.agent.service;

import org.madcast.agent.CommandGroup;
import picocli.CommandLine.Command;

/** {@code madcast communicator}: the communicators of jobs. */
@Command(
        name = "communicator",
        header = "Show and end communicators.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            CommunicatorListCommand.class,
            CommunicatorShowCommand.class,
            CommunicatorEndCommand.class
        },
        footerHeading = "%nExamples:%n",
        footer = {"  madcast communicator list --job render-17", "  madcast communicator end ID"})
public final class CommunicatorCommand extends CommandGroup {}

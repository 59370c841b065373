package org.madcast.agent.service;

import org.madcast.agent.CommandGroup;
import picocli.CommandLine.Command;

/** {@code madcast reservation}: groups that are kept for a job, a user or a token. */
@Command(
        name = "reservation",
        header = "Keep multicast groups for a job, a user or a token.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            ReservationListCommand.class,
            ReservationAddCommand.class,
            ReservationRemoveCommand.class
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast reservation add 239.192.7.1:5000 --job weather",
            "  madcast reservation list",
            "  madcast import groups.csv --dry-run"
        })
public final class ReservationCommand extends CommandGroup {}

package org.madcast.agent.service;

import org.madcast.agent.CommandGroup;
import picocli.CommandLine.Command;

/** {@code madcast token}: who the allocation service lets in. */
@Command(
        name = "token",
        header = "Make, list, replace and revoke the tokens that the allocation service lets in.",
        description = {
            "",
            "Only an operator may. The first start of the service leaves a token for its operator in"
                    + " the file operator-token in its data directory; on that machine a user that can"
                    + " read it need not name it."
        },
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            TokenMakeCommand.class,
            TokenListCommand.class,
            TokenRotateCommand.class,
            TokenRevokeCommand.class
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast token make slurm --role job",
            "  madcast token list",
            "  madcast token rotate slurm",
            "  madcast token revoke slurm"
        })
public final class TokenCommand extends CommandGroup {}

package org.madcast.agent.service;

import org.madcast.agent.CommandGroup;
import picocli.CommandLine.Command;

/** {@code madcast scope}: what may be leased, by which rules. */
@Command(
        name = "scope",
        header = "Show, make, change and remove scopes: what may be leased.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            ScopeListCommand.class,
            ScopeShowCommand.class,
            ScopeAddCommand.class,
            ScopeChangeCommand.class,
            ScopeExcludeCommand.class,
            ScopeRemoveCommand.class
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast scope list",
            "  madcast scope add blue --range 239.195.0.0/16",
            "  madcast scope exclude default 239.192.7.0/28"
        })
public final class ScopeCommand extends CommandGroup {}

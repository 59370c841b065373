package org.madcast.agent.service;

import org.madcast.agent.CommandGroup;
import picocli.CommandLine.Command;

/** {@code madcast webhook}: who is told what is recorded. */
@Command(
        name = "webhook",
        header = "Say who is told over HTTP what is recorded.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            WebhookSetCommand.class,
            WebhookListCommand.class,
            WebhookRemoveCommand.class
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast webhook set inventory http://inventory:8080/madcast",
            "  madcast webhook list"
        })
public final class WebhookCommand extends CommandGroup {}

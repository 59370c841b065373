package org.madcast.agent.service;

import org.madcast.agent.CommandGroup;
import picocli.CommandLine.Command;

/** {@code madcast webhook}: where entries of the audit are sent. */
@Command(
        name = "webhook",
        header = "Send what is recorded to others over HTTP.",
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

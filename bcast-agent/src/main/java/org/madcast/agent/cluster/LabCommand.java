package org.madcast.agent.cluster;

import org.madcast.agent.CommandGroup;
import picocli.CommandLine.Command;

/** {@code madcast lab}. */
@Command(
        name = "lab",
        header = "Set up, show and take down virtual clusters.",
        description = {
            "",
            "A lab is a cluster inside this machine: network namespaces are its hosts and a bridge with"
                    + " IGMP snooping is its switch. It needs root."
        },
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {LabUpCommand.class, LabDownCommand.class, LabStatusCommand.class},
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast lab up --name rack --hosts 16 --rate 100mbit",
            "  ip netns exec rack-h3 ping -c 1 10.77.1.1",
            "  madcast lab status",
            "  madcast lab down rack"
        })
public final class LabCommand extends CommandGroup {}

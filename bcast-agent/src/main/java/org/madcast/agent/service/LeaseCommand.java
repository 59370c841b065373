package org.madcast.agent.service;

import org.madcast.agent.CommandGroup;
import picocli.CommandLine.Command;

/** {@code madcast lease}: leases by hand and from scripts. */
@Command(
        name = "lease",
        header = "Grant, renew, release and list leases of multicast groups.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            LeaseGrantCommand.class,
            LeaseRenewCommand.class,
            LeaseReleaseCommand.class,
            LeaseListCommand.class,
            LeaseHistoryCommand.class
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast lease grant --job render-17 --duration 2h",
            "  madcast lease list",
            "  MADCAST_LEASE_SECRET=... madcast lease release ID"
        })
public final class LeaseCommand extends CommandGroup {}

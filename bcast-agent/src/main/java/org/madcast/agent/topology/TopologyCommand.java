package org.madcast.agent.topology;

import org.madcast.agent.CommandGroup;
import picocli.CommandLine.Command;

/** {@code madcast topology}. */
@Command(
        name = "topology",
        header = "Show how switches are connected, and what follows for ranks.",
        description = {
            "",
            "A topology is a file with lines such as 'switch s[0-1]', 'cable s0 s1 100mbit' and"
                    + " 'host n[0-7] s0', or Slurm's topology.conf. The service keeps topologies, too, and"
                    + " gives them to the ranks of jobs on their hosts."
        },
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            TopologyShowCommand.class,
            TopologyOrderCommand.class,
            TopologyRoutineCommand.class,
            TopologyBisectionCommand.class,
            TopologyLldpCommand.class,
            TopologyPushCommand.class,
            TopologyListCommand.class,
            TopologyGetCommand.class,
            TopologyRemoveCommand.class
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast topology show net.topology",
            "  madcast topology order /etc/slurm/topology.conf",
            "  madcast topology routine --algorithm binary net.topology",
            "  madcast topology bisection --leaf-spine 16,32,4 --routing ecmp",
            "  madcast topology push cluster net.topology"
        })
public final class TopologyCommand extends CommandGroup {}

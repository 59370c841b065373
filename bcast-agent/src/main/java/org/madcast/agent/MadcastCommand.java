package org.madcast.agent;

import org.madcast.agent.bench.BenchCommand;
import org.madcast.agent.cluster.LabCommand;
import org.madcast.agent.daemon.AgentCommand;
import org.madcast.agent.demo.DemoCommand;
import org.madcast.agent.leasebench.BenchLeasesCommand;
import org.madcast.agent.loggp.LogGpCommand;
import org.madcast.agent.manual.CompletionCommand;
import org.madcast.agent.manual.ManCommand;
import org.madcast.agent.probe.ProbeCommand;
import org.madcast.agent.process.RunCommand;
import org.madcast.agent.push.PushCommand;
import org.madcast.agent.service.LeaseCommand;
import org.madcast.agent.service.ServeCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line as a whole. */
@Command(
        name = "madcast",
        version = "madcast 0.1.0-SNAPSHOT",
        header = "Reliable broadcast over IP multicast for parallel jobs.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            DemoCommand.class,
            ServeCommand.class,
            LabCommand.class,
            BenchCommand.class,
            BenchLeasesCommand.class,
            LeaseCommand.class,
            RunCommand.class,
            AgentCommand.class,
            PushCommand.class,
            ProbeCommand.class,
            LogGpCommand.class,
            CompletionCommand.class,
            ManCommand.class
        },
        footer = {
            "  build   Build what the other commands need, without tests.",
            "  test    Build everything and run every check and test.",
            "",
            "The first five minutes: madcast demo",
            "Help for a command: madcast COMMAND --help"
        })
public final class MadcastCommand implements Runnable {

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "name a command, such as demo");
    }
}

package org.madcast.benchmarks.compare;

import java.io.PrintWriter;
import org.madcast.agent.Arguments;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The program behind {@code benchmarks/compare}. */
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        header = "Measure other systems beside Madcast.",
        description = {
            "",
            "Each system broadcasts the same sizes in the same lab, timed in the same way as"
                    + " 'madcast bench' times Madcast, and writes the same JSON. Nothing is installed:"
                    + " what is missing is named."
        },
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            OpenMpiCommand.class,
            AeronCommand.class,
            JGroupsCommand.class,
            MpiModuleCommand.class
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  compare openmpi --floor --json benchmarks/results/comparison/openmpi.json",
            "  compare aeron --floor --json benchmarks/results/comparison/aeron.json",
            "  compare jgroups --floor --json benchmarks/results/comparison/jgroups.json",
            "  compare madcast-mpi --collective pingpong,allreduce --sizes 8,1MiB"
        })
public final class CompareCommand implements Runnable {

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "name a command, such as openmpi");
    }

    /** Runs the command that the arguments name and ends the process with its exit code. */
    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    /** The command line, ready to execute; tests give it writers of their own. */
    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new CompareCommand());
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setUsageHelpAutoWidth(true);
        line.setExecutionStrategy(Arguments::run);
        line.setExecutionExceptionHandler((failure, failed, _) -> {
            PrintWriter err = failed.getErr();
            if (failure instanceof CommandFailure known) {
                err.println("compare: " + known.getMessage());
                err.flush();
                return known.exitCode().code();
            }
            failure.printStackTrace(err);
            err.flush();
            return ExitCode.INTERNAL.code();
        });
        line.setParameterExceptionHandler((wrong, _) -> {
            CommandLine failed = wrong.getCommandLine();
            String command = failed.getCommandSpec().qualifiedName();
            failed.getErr()
                    .println("compare: " + wrong.getMessage() + "; see '" + command + " --help'");
            return ExitCode.USAGE.code();
        });
        return line;
    }
}

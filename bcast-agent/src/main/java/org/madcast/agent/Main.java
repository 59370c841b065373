package org.madcast.agent;

import java.io.PrintWriter;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.madcast.agent.cluster.LabCommand;
import org.madcast.agent.daemon.AgentCommand;
import org.madcast.agent.demo.DemoCommand;
import org.madcast.agent.example.ExampleCommand;
import org.madcast.agent.manual.CompletionCommand;
import org.madcast.agent.manual.HelpCommand;
import org.madcast.agent.manual.ManCommand;
import org.madcast.agent.probe.ProbeCommand;
import org.madcast.agent.process.MpiJarCommand;
import org.madcast.agent.process.ProcessEnd;
import org.madcast.agent.profile.ProfileCommand;
import org.madcast.agent.push.PushCommand;
import org.madcast.agent.run.RunCommand;
import org.madcast.agent.service.AuditCommand;
import org.madcast.agent.service.CommunicatorCommand;
import org.madcast.agent.service.ExportCommand;
import org.madcast.agent.service.ImportCommand;
import org.madcast.agent.service.LeaseCommand;
import org.madcast.agent.service.NodeCommand;
import org.madcast.agent.service.ReservationCommand;
import org.madcast.agent.service.ScopeCommand;
import org.madcast.agent.service.ServeCommand;
import org.madcast.agent.service.TokenCommand;
import org.madcast.agent.service.WebhookCommand;
import org.madcast.agent.terminal.LibraryLog;
import org.madcast.agent.topology.TopologyCommand;
import org.madcast.client.MadcastException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The program {@code madcast}. */
public final class Main {

    private static final String VERBOSE = "-v";

    /** Has connections that virtual threads listen to. */
    private static final String PUSH = "push";

    /** In the order of the help; those of other archives come before those that describe all. */
    private static final List<Class<?>> OWN_COMMANDS =
            List.of(
                    DemoCommand.class,
                    ServeCommand.class,
                    LabCommand.class,
                    ExampleCommand.class,
                    LeaseCommand.class,
                    TokenCommand.class,
                    ScopeCommand.class,
                    ReservationCommand.class,
                    CommunicatorCommand.class,
                    NodeCommand.class,
                    AuditCommand.class,
                    WebhookCommand.class,
                    ExportCommand.class,
                    ImportCommand.class,
                    RunCommand.class,
                    ProfileCommand.class,
                    MpiJarCommand.class,
                    AgentCommand.class,
                    PushCommand.class,
                    ProbeCommand.class,
                    TopologyCommand.class);

    /** They describe all others. */
    private static final List<Class<?>> OF_ALL_COMMANDS =
            List.of(HelpCommand.class, CompletionCommand.class, ManCommand.class);

    /** Those of the launcher included. */
    private static final Set<ExitCode> OF_EVERY_COMMAND =
            Set.of(
                    ExitCode.OK,
                    ExitCode.INTERNAL,
                    ExitCode.USAGE,
                    ExitCode.NO_JDK,
                    ExitCode.BUILD,
                    ExitCode.INTERRUPTED);

    private Main() {}

    /** Runs the command that the arguments name and ends the process with its exit code. */
    public static void main(String[] arguments) {
        boolean push = arguments.length > 0 && arguments[0].equals(PUSH);
        if (push) {
            PushCommand.makeReady();
        }
        int code = commandLine(arguments).execute(arguments);
        if (push) {
            ProcessEnd.atOnce(code);
        }
        System.exit(code);
    }

    /** The command line, ready to execute; tests give it writers of their own. */
    static CommandLine commandLine() {
        return commandLine(
                Stream.of(OWN_COMMANDS, foundCommands(), OF_ALL_COMMANDS)
                        .flatMap(List::stream)
                        .toList());
    }

    private static List<Class<?>> foundCommands() {
        return ServiceLoader.load(FurtherCommands.class).stream()
                .flatMap(archive -> archive.get().commands().stream())
                .toList();
    }

    /**
     * The same for these arguments only: what they do not name need not be made, nor looked for.
     */
    static CommandLine commandLine(String[] arguments) {
        return Stream.<Supplier<List<Class<?>>>>of(() -> OWN_COMMANDS, Main::foundCommands)
                .flatMap(commands -> commands.get().stream())
                .filter(type -> isNamed(type, arguments))
                .findFirst()
                .map(type -> commandLine(List.of(type)))
                .orElseGet(Main::commandLine);
    }

    private static boolean isNamed(Class<?> type, String[] arguments) {
        return arguments.length > 0
                && type.getAnnotation(Command.class).name().equals(arguments[0]);
    }

    private static CommandLine commandLine(List<Class<?>> commands) {
        CommandLine line = new CommandLine(new MadcastCommand());
        commands.forEach(line::addSubcommand);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setExecutionExceptionHandler(Main::reportFailure);
        line.setExecutionStrategy(Main::run);
        line.setParameterExceptionHandler(Main::reportWrongArguments);
        line.setUsageHelpAutoWidth(true);
        WrongArguments.convert(line);
        line.getCommandSpec().addOption(versionOption());
        completeAll(line.getCommandSpec());
        return line;
    }

    /** Gives a command and all below it the options and the exit codes that every command has. */
    private static void completeAll(CommandSpec spec) {
        spec.addOption(helpOption()).addOption(verboseOption());
        if (spec.parent() != null) {
            listExitCodes(spec);
        }
        spec.subcommands().values().forEach(command -> completeAll(command.getCommandSpec()));
    }

    private static OptionSpec helpOption() {
        return OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .description("Show this help.")
                .build();
    }

    private static OptionSpec versionOption() {
        return OptionSpec.builder("-V", "--version")
                .versionHelp(true)
                .description("Show the version.")
                .build();
    }

    private static OptionSpec verboseOption() {
        return OptionSpec.builder(VERBOSE, "--verbose")
                .type(boolean.class)
                .description("Also print where an error comes from, and what libraries log.")
                .build();
    }

    private static void listExitCodes(CommandSpec spec) {
        Set<ExitCode> possible = EnumSet.copyOf(OF_EVERY_COMMAND);
        ExitCodes own = spec.userObject().getClass().getAnnotation(ExitCodes.class);
        if (own != null) {
            possible.addAll(List.of(own.value()));
        }
        Map<String, String> codes = new LinkedHashMap<>();
        possible.forEach(code -> codes.put(Integer.toString(code.code()), code.meaning()));
        spec.usageMessage().exitCodeListHeading("%nExit codes:%n").exitCodeList(codes);
    }

    private static int run(CommandLine.ParseResult parsed) {
        refuseUnknownCommand(parsed);
        if (isVerbose(parsed)) {
            LibraryLog.sayMore();
        }
        return Arguments.run(parsed);
    }

    /** Picocli passes over it where help is wanted, and would show that of the command above. */
    private static void refuseUnknownCommand(CommandLine.ParseResult parsed) {
        CommandLine line = parsed.commandSpec().commandLine();
        if (parsed.hasSubcommand()) {
            refuseUnknownCommand(parsed.subcommand());
        } else if (!parsed.unmatched().isEmpty() && !line.getSubcommands().isEmpty()) {
            throw new UnmatchedArgumentException(line, parsed.unmatched());
        }
    }

    /** Said before or after the command. */
    private static boolean isVerbose(CommandLine.ParseResult parsed) {
        return parsed.hasMatchedOption(VERBOSE)
                || (parsed.hasSubcommand() && isVerbose(parsed.subcommand()));
    }

    private static int reportFailure(
            Exception failure, CommandLine line, CommandLine.ParseResult parsed) {
        PrintWriter err = line.getErr();
        ExitCode code =
                switch (failure) {
                    case CommandFailure known -> known.exitCode();
                    case MadcastException _ -> ExitCode.RANK;
                    case InterruptedException _ -> ExitCode.INTERRUPTED;
                    default -> ExitCode.INTERNAL;
                };
        String message =
                code == ExitCode.INTERNAL || failure.getMessage() == null
                        ? "unexpected: " + failure
                        : failure.getMessage();
        err.println("madcast: " + message.replace('\n', ' '));
        if (isVerbose(parsed)) {
            failure.printStackTrace(err);
        } else if (code == ExitCode.INTERNAL) {
            err.println("madcast: run it again with -v to see where");
        }
        err.flush();
        return code.code();
    }

    private static int reportWrongArguments(ParameterException wrong, String[] arguments) {
        PrintWriter err = wrong.getCommandLine().getErr();
        err.println("madcast: " + WrongArguments.message(wrong));
        err.flush();
        return ExitCode.USAGE.code();
    }
}

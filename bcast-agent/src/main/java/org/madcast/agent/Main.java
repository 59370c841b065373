package org.madcast.agent;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import org.madcast.client.MadcastException;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The program {@code madcast}. */
public final class Main {

    private static final String VERBOSE = "-v";

    private Main() {}

    /** Runs the command that the arguments name and ends the process with its exit code. */
    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    /** The command line, ready to execute; tests give it writers of their own. */
    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new MadcastCommand());
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setExecutionExceptionHandler(Main::reportFailure);
        line.setParameterExceptionHandler(Main::reportWrongArguments);
        line.setUsageHelpAutoWidth(true);
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
                .description("Say more: where an error comes from.")
                .build();
    }

    private static void listExitCodes(CommandSpec spec) {
        Map<String, String> codes = new LinkedHashMap<>();
        for (ExitCode code : ExitCode.values()) {
            codes.put(Integer.toString(code.code()), code.meaning());
        }
        spec.usageMessage().exitCodeListHeading("%nExit codes:%n").exitCodeList(codes);
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
        if (parsed.hasMatchedOption(VERBOSE)) {
            failure.printStackTrace(err);
        } else if (code == ExitCode.INTERNAL) {
            err.println("madcast: run it again with -v to see where");
        }
        err.flush();
        return code.code();
    }

    private static String suggestion(ParameterException wrong) {
        return wrong instanceof UnmatchedArgumentException unknown
                        && !unknown.getSuggestions().isEmpty()
                ? " (did you mean " + String.join(" or ", unknown.getSuggestions()) + "?)"
                : "";
    }

    private static int reportWrongArguments(ParameterException wrong, String[] arguments) {
        CommandLine line = wrong.getCommandLine();
        PrintWriter err = line.getErr();
        String command = line.getCommandSpec().qualifiedName();
        String message = String.valueOf(wrong.getMessage()).replace('\n', ' ');
        err.println("madcast: " + message + suggestion(wrong) + "; see '" + command + " --help'");
        err.flush();
        return ExitCode.USAGE.code();
    }
}

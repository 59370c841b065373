package org.madcast.agent;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import org.madcast.client.MadcastException;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The program {@code madcast}. */
public final class Main {

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
        line.getSubcommands().values().forEach(command -> listExitCodes(command.getCommandSpec()));
        return line;
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
        String message = failure.getMessage();
        err.println(
                "madcast: "
                        + (code == ExitCode.INTERNAL ? "unexpected: " + failure : message)
                                .replace('\n', ' '));
        if (isVerbose(line)) {
            failure.printStackTrace(err);
        } else if (code == ExitCode.INTERNAL) {
            err.println("madcast: run it again with -v to see where");
        }
        err.flush();
        return code.code();
    }

    private static boolean isVerbose(CommandLine line) {
        return line.getCommandSpec().mixins().values().stream()
                .map(CommandSpec::userObject)
                .anyMatch(mixin -> mixin instanceof OutputOptions options && options.verbose());
    }

    private static int reportWrongArguments(ParameterException wrong, String[] arguments) {
        CommandLine line = wrong.getCommandLine();
        PrintWriter err = line.getErr();
        err.println("madcast: " + String.valueOf(wrong.getMessage()).replace('\n', ' '));
        if (!UnmatchedArgumentException.printSuggestions(wrong, err)) {
            String command = line.getCommandSpec().qualifiedName();
            err.println(Ansi.AUTO.string("Try '@|bold " + command + " --help|@'."));
        }
        err.flush();
        return ExitCode.USAGE.code();
    }
}

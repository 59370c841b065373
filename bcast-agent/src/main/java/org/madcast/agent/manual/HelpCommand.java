package org.madcast.agent.manual;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.madcast.agent.ExitCode;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** {@code madcast help}. */
@Command(
        name = "help",
        header = "Show the help of a command, as --help does.",
        footerHeading = "%nExamples:%n",
        footer = {"  madcast help", "  madcast help lease grant"})
public final class HelpCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            arity = "0..*",
            paramLabel = "COMMAND",
            description = "Whose (default that of all).")
    private List<String> words = new ArrayList<>();

    @Override
    public Integer call() {
        CommandLine line = spec.root().commandLine();
        for (String word : words) {
            CommandLine below = line.getSubcommands().get(word);
            if (below == null) {
                throw new UnmatchedArgumentException(line, List.of(word));
            }
            line = below;
        }
        line.usage(spec.commandLine().getOut());
        return ExitCode.OK.code();
    }
}
